import { chatgptDeclaration, chatModels } from '../../../src/sources/chatgpt/chatgpt-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import type { Scene } from '../fill-template.ts';
import { createRandom, type Random } from '../random.ts';
import { claimTalk, orderTurns, planTalks, type Talk, type Turn } from '../talks.ts';
import { followUps, tripAnswers } from '../texts/advice.ts';
import { codeBlocks } from '../texts/snippets.ts';
import { countYears, createTimeline, dayHours, writeEmittedAt, writeIso } from '../timeline.ts';
import { createTrips } from '../trips.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { createScene, writeFrom, writeLongText, writeText, writeTitle } from '../write-text.ts';

interface Conversation extends Talk {
  id: string;
  title: string;
  scene: Scene;
}

const day = 86_400_000;
const sizes: [number, number][] = [
  [2, 40],
  [4, 28],
  [6, 16],
  [10, 10],
  [18, 4],
];
const topicKeys: [string, number][] = [
  ['software', 30],
  ['robotics', 14],
  ['cooking', 12],
  ['health', 10],
  ['climbing', 8],
  ['money', 8],
  ['travel', 8],
  ['nature', 8],
  ['reading', 6],
  ['garden', 4],
];
const languages: [string, number][] = [
  ['en', 86],
  ['de', 6],
  ['es', 4],
  ['ja', 2],
  ['fr', 2],
];

export const chatgpt: GeneratedSource = {
  declaration: chatgptDeclaration,
  connections: [{ connection_id: 'chatgpt', connector_key: 'chatgpt', display_name: 'ChatGPT' }],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'chatgpt');
    const timeline = createTimeline(until, countYears(records, 1_000), dayHours);
    const drawSize = () => random.weighted(sizes);
    const talks = planTalks(random, { timeline, budget: records, overhead: 1, drawSize, gap: 150_000 });
    for (const trip of createTrips(seed, timeline.years, until)) claimTalk(talks, trip, trip.start - 9 * day);
    const conversations = talks.map((talk) => createConversation(random, talk));
    const lines = conversations.map((conversation) => createConversationLine(random, conversation));
    yield* createBatches('chatgpt', 'conversations', lines);
    yield* createBatches('chatgpt', 'messages', createMessageLines(random, orderTurns(conversations)));
  },
};

function createConversation(random: Random, talk: Talk): Conversation {
  const id = `${drawHex(random)}-${talk.index.toString(16).padStart(4, '0')}-4a7e-9c21-${drawHex(random)}c0de`;
  if (talk.trip) {
    const scene = { ...createScene(random, 'travel', 'en', 'advice'), place: talk.trip.place };
    return { ...talk, id, scene, title: `${talk.trip.nights} days in ${talk.trip.place}` };
  }
  const scene = createScene(random, random.weighted(topicKeys), random.weighted(languages), 'advice');
  return { ...talk, id, scene, title: writeTitle(random, scene) };
}

function createConversationLine(random: Random, { id, title, times }: Conversation): GeneratedLine {
  const created = times[0] as number;
  const data = {
    id,
    title,
    created_at: writeIso(created),
    updated_at: writeIso(times.at(-1) as number),
    model: random.pick(chatModels),
    message_count: times.length,
    is_archived: random.chance(0.1),
  };
  return { key: id, data, emitted_at: writeEmittedAt(times.at(-1) as number) };
}

function* createMessageLines(random: Random, turns: Turn<Conversation>[]): Generator<GeneratedLine> {
  for (let index = 0; index < turns.length; index++) {
    const { talk, position, at } = turns[index] as Turn<Conversation>;
    const isUser = position % 2 === 0;
    const text = isUser ? writeQuestion(random, talk, position) : writeAnswer(random, talk, position);
    const hostile = isUser ? findHostileText(index, turns.length) : undefined;
    const isLong = turns.length > 200 && index % Math.floor(turns.length / 3) === 11;
    const id = `msg_${at.toString(36)}${index.toString(36).padStart(4, '0')}`;
    const data = {
      id,
      conversation_id: talk.id,
      role: isUser ? 'user' : 'assistant',
      text: hostile ? `${text}\n${hostile}` : isLong ? writeLongText(random, talk.scene, 24_000) : text,
      created_at: writeIso(at),
      language: talk.scene.language,
      rating: !isUser && random.chance(0.06) ? random.pick(['thumbs_up', 'thumbs_down']) : null,
    };
    yield { key: id, data, emitted_at: writeEmittedAt(at) };
  }
}

function writeQuestion(random: Random, { scene, trip }: Conversation, position: number): string {
  if (trip && position === 0)
    return `I have ${trip.nights} days in ${trip.place}. What should I see, and where do people eat?`;
  if (scene.language !== 'en' || position === 0) return writeText(random, scene, 1);
  return getFollowUp(position)[0];
}

function writeAnswer(random: Random, { scene, trip }: Conversation, position: number): string {
  if (scene.language !== 'en') return writeText(random, scene, random.int(3, 6));
  if (position > 1) return getFollowUp(position)[1];
  if (trip) return tripAnswers.map((answer) => writeFrom(random, [answer], scene)).join(' ');
  const text = writeText(random, scene, scene.story.lines.length - 1);
  return scene.topic.key === 'software' && random.chance(0.4)
    ? `${text}\n\n${random.pick(codeBlocks)}`
    : text;
}

/** The question at an even place, and the answer at the odd one behind it. */
const getFollowUp = (position: number) =>
  followUps[((position >> 1) - 1) % followUps.length] as (typeof followUps)[number];

const drawHex = (random: Random) =>
  Math.floor(random.next() * 4_294_967_296)
    .toString(16)
    .padStart(8, '0');
