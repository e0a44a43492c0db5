import { gmailDeclaration } from '../../../src/sources/gmail/gmail-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import { writeCode } from '../fill-template.ts';
import { createRandom, type Random } from '../random.ts';
import { claimTalk, orderTurns, planTalks, type Turn } from '../talks.ts';
import { owner } from '../texts/people.ts';
import {
  countYears,
  createTimeline,
  dayHours,
  writeEmittedAt,
  writeIso,
  writeLocalIso,
} from '../timeline.ts';
import { createTrips } from '../trips.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { writeLongText } from '../write-text.ts';
import {
  createBookingContent,
  createPlanningContent,
  drawContent,
  type Thread,
  writeBody,
} from './gmail-letters.ts';

const day = 86_400_000;
const writtenByOwner = new Set(['en', 'de', 'es', 'fr']);
const sizes: [number, number][] = [
  [1, 55],
  [2, 16],
  [3, 12],
  [5, 8],
  [8, 4],
  [14, 1],
];

export const gmail: GeneratedSource = {
  declaration: gmailDeclaration,
  connections: [
    {
      connection_id: 'gmail_personal',
      connector_key: 'gmail',
      display_name: 'Personal mail',
      self: [owner.email, owner.name],
    },
  ],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'gmail');
    const threads = planThreads(random, records, seed, until);
    const turns = orderTurns(threads);
    threads.sort((one, other) => getLast(one) - getLast(other));
    yield* createBatches('gmail_personal', 'threads', threads.map(createThreadLine));
    yield* createBatches(
      'gmail_personal',
      'messages',
      createMessageLines(random, turns, until.getTime() - 5 * day),
    );
  },
};

function planThreads(random: Random, records: number, seed: number, until: Date): Thread[] {
  const timeline = createTimeline(until, countYears(records, 2_000), dayHours);
  const drawSize = () => random.weighted(sizes);
  const talks = planTalks(random, { timeline, budget: records, overhead: 1, drawSize, gap: day / 3 });
  const planned = new Map<number, 'booking' | 'planning'>();
  for (const trip of createTrips(seed, timeline.years, until)) {
    const booking = claimTalk(talks, trip, trip.booked_at);
    if (booking) planned.set(booking.index, 'booking');
    const planning = claimTalk(talks, trip, trip.start - 12 * day);
    if (planning) planned.set(planning.index, 'planning');
  }
  return talks.map((talk) => {
    const id = (talk.times[0] as number).toString(16) + (talk.index & 0xfffff).toString(16).padStart(5, '0');
    const kind = planned.get(talk.index);
    if (!kind || !talk.trip) return { ...talk, id, ...drawContent(random, talk.times.length) };
    const create = kind === 'booking' ? createBookingContent : createPlanningContent;
    return { ...talk, id, ...create(random, talk.trip) };
  });
}

const getLast = (thread: Thread) => thread.times.at(-1) as number;

function createThreadLine(thread: Thread): GeneratedLine {
  const last = getLast(thread);
  const data = {
    id: thread.id,
    subject: thread.subject,
    participants: [owner.email, ...thread.others.map((other) => other.email)],
    message_count: thread.times.length,
    first_message_at: writeIso(thread.times[0] as number),
    last_message_at: writeIso(last),
  };
  return { key: thread.id, data, emitted_at: writeEmittedAt(last) };
}

function* createMessageLines(
  random: Random,
  turns: Turn<Thread>[],
  readUntil: number,
): Generator<GeneratedLine> {
  for (let index = 0; index < turns.length; index++) {
    yield createMessageLine(random, turns[index] as Turn<Thread>, index, turns.length, readUntil);
  }
}

function createMessageLine(
  random: Random,
  turn: Turn<Thread>,
  index: number,
  count: number,
  readUntil: number,
): GeneratedLine {
  const { talk: thread, position } = turn;
  const at = turn.at - (turn.at % 1000);
  const { others, kind } = thread;
  const other = others[(position >> 1) % others.length] as Thread['others'][number];
  // Organisations only ever write; people and the owner take turns.
  const isOwn = kind === 'letter' && position % 2 === 1;
  const from = isOwn ? owner : other;
  const to = isOwn ? other : owner;
  // The owner reads more languages than she writes.
  const language = isOwn && !writtenByOwner.has(thread.scene.language) ? 'en' : thread.scene.language;
  const scene = { ...thread.scene, language };
  const body = writeBody(random, thread, scene, position, [getFirstName(from.name), getFirstName(to.name)]);
  const hostile = findHostileText(index, count);
  const subject = position > 0 && kind === 'letter' ? `Re: ${thread.subject}` : thread.subject;
  const id = turn.at.toString(16) + ((index * 7 + 3) & 0xfffff).toString(16).padStart(5, '0');
  const data = {
    id,
    thread_id: thread.id,
    subject: hostile && index % 2 === 0 ? hostile : subject,
    from_name: from.name,
    from_address: from.email,
    to: isOwn ? others.map((person) => person.email) : [owner.email],
    sent_at: random.chance(0.05) ? writeLocalIso(at) : writeIso(at),
    body: hostile ? `${body}\n\n${hostile}` : lengthen(random, thread, body, index, count),
    labels: hostile ? ['SPAM'] : isOwn ? ['SENT'] : thread.labels,
    is_from_me: isOwn,
    is_unread: !isOwn && at > readUntil && random.chance(0.4),
    language: language.slice(0, 2),
    history_id: `90071992${String(547_409_930 + index * 13).padStart(12, '0')}`,
  };
  const attachment = random.chance(0.08) ? createAttachment(random, thread) : null;
  const named = attachment === null ? {} : { attachment_names: [attachment.name] };
  return { key: id, data: { ...data, attachment, ...named }, emitted_at: writeEmittedAt(at) };
}

/** One mail of about a megabyte and a few of some ten thousand letters, where the set is large enough. */
function lengthen(random: Random, thread: Thread, body: string, index: number, count: number): string {
  if (count < 150) return body;
  if (index === Math.floor(count * 0.61))
    return `${body}\n\n${writeLongText(random, thread.scene, 1_000_000)}`;
  const stride = Math.floor(count / 5);
  if (index % stride !== stride >> 2) return body;
  return `${body}\n\n${writeLongText(random, thread.scene, random.int(20_000, 60_000))}`;
}

function createAttachment(random: Random, thread: Thread) {
  const [ending, media_type] = random.pick([
    ['pdf', 'application/pdf'],
    ['jpg', 'image/jpeg'],
    ['ics', 'text/calendar'],
  ] as const);
  const name = `${thread.scene.thing.replaceAll(' ', '-')}-${writeCode(random)}.${ending}`;
  return { name, media_type, size_bytes: random.int(4_000, 4_000_000) };
}

const getFirstName = (name: string) => name.split(' ')[0] as string;
