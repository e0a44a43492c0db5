import { slackDeclaration } from '../../../src/sources/slack/slack-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import type { Scene } from '../fill-template.ts';
import { createRandom, type Random } from '../random.ts';
import { claimTalk, orderTurns, planTalks, type Talk, type Turn } from '../talks.ts';
import { owner, type Person } from '../texts/people.ts';
import { type Channel, type Workspace, workspaces } from '../texts/workspaces.ts';
import { countYears, createTimeline, dayHours, workHours, writeEmittedAt, writeIso } from '../timeline.ts';
import { createTrips } from '../trips.ts';
import type { GeneratedBatch, GeneratedLine, GeneratedSource, GeneratorOptions } from '../types.ts';
import { createScene, writeText } from '../write-text.ts';
import {
  createChannelId,
  createChannelLine,
  createKey,
  createTs,
  createUserId,
  createUserLines,
} from './slack-directory.ts';

interface SlackThread extends Talk {
  channel: number;
  scene: Scene;
  /** Key of the message that opened it. */
  root: string;
}

const day = 86_400_000;
const workShare = 0.72;
const sizes: [number, number][] = [
  [1, 66],
  [2, 9],
  [3, 8],
  [5, 8],
  [9, 4],
  [16, 1],
];
const reactionNames = [
  'thumbsup',
  'eyes',
  'tada',
  'heart',
  'joy',
  'rocket',
  'man-climbing',
  'coffee',
  'pray',
];

export const slack: GeneratedSource = {
  declaration: slackDeclaration,
  connections: workspaces.map((workspace) => ({
    connection_id: workspace.connection_id,
    connector_key: 'slack',
    display_name: `Slack ${workspace.display_name}`,
    self: [createUserId(workspace, 0), owner.email, owner.handle],
  })),
  *generate({ records, seed, until }) {
    const [work, climbing] = workspaces as [Workspace, Workspace];
    const workRecords = Math.round(records * workShare);
    const shared = { seed, until, years: countYears(records, 2_300) };
    yield* generateWorkspace(work, { ...shared, records: workRecords });
    yield* generateWorkspace(climbing, { ...shared, records: records - workRecords });
  },
};

function* generateWorkspace(
  workspace: Workspace,
  { records, years, seed, until }: GeneratorOptions & { years: number },
): Generator<GeneratedBatch> {
  const id = workspace.connection_id;
  const random = createRandom(seed, id);
  const timeline = createTimeline(
    until,
    years,
    id === 'slack_work' ? workHours : dayHours,
    id === 'slack_work',
  );
  const channels = workspace.channels.slice(0, Math.ceil(records * 0.08));
  const members = [owner, ...workspace.members].slice(0, Math.ceil(records * 0.12));
  // The bot has no person behind it, so it stands after the members.
  const users = members.length + 1;
  const budget = Math.max(0, records - channels.length - users);
  const drawSize = () => random.weighted(sizes);
  const talks = planTalks(random, { timeline, budget, overhead: 0, drawSize, gap: 1_500_000 });
  const purpose = id === 'slack_work' ? 'work' : 'climbing';
  for (const trip of createTrips(seed, years, until).filter((one) => one.purpose === purpose)) {
    for (const before of [30, 14, 6, 2]) claimTalk(talks, trip, trip.start - before * day);
  }
  const threads = talks.map((talk) => createThread(random, workspace, channels, talk));
  const opened = timeline.start;
  yield* createBatches(
    id,
    'channels',
    channels.map((channel, index) => createChannelLine(workspace, channel, index, opened)),
  );
  yield* createBatches(id, 'users', createUserLines(workspace, members, opened));
  yield* createBatches(id, 'messages', createMessageLines(random, workspace, members, orderTurns(threads)));
}

function createThread(
  random: Random,
  workspace: Workspace,
  channels: readonly Channel[],
  talk: Talk,
): SlackThread {
  const trips = channels.findIndex(([name]) => name === 'trips' || name === 'field-trials');
  const channel = talk.trip && trips >= 0 ? trips : random.zipf(channels.length);
  const [, , topics] = channels[channel] as Channel;
  const scene = createScene(random, random.pick(topics.split(' ')), 'en', workspace.tone);
  if (talk.trip) scene.place = talk.trip.place;
  return {
    ...talk,
    channel,
    scene,
    root: createKey(workspace, channel, talk.times[0] as number, talk.index, 0),
  };
}

function* createMessageLines(
  random: Random,
  workspace: Workspace,
  members: Person[],
  turns: Turn<SlackThread>[],
): Generator<GeneratedLine> {
  for (let index = 0; index < turns.length; index++) {
    const { talk: thread, position, at } = turns[index] as Turn<SlackThread>;
    const isBot = position === 0 && thread.times.length === 1 && random.chance(0.04);
    const writer = isBot ? members.length : random.zipf(members.length);
    const own = members[writer]?.language ?? 'en';
    const language = random.chance(workspace.ownLanguage) ? own : 'en';
    const text = writeText(random, { ...thread.scene, language }, random.int(1, 3));
    const hostile = findHostileText(index, turns.length);
    const ts = createTs(at, thread.index, position);
    const channel_id = createChannelId(workspace, thread.channel);
    const data = {
      channel_id,
      ts,
      user_id: createUserId(workspace, writer),
      text: hostile ? `${text} ${hostile}` : text,
      sent_at: writeIso(at),
      parent_id: position === 0 ? null : thread.root,
      reply_count: position === 0 ? thread.times.length - 1 : 0,
      reactions: random.chance(0.2) ? [random.pick(reactionNames)] : [],
      is_edited: random.chance(0.03),
      language,
    };
    yield { key: `["${channel_id}","${ts}"]`, data, emitted_at: writeEmittedAt(at) };
  }
}
