import type { Catalog, CatalogStream } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/open-store.ts';
import { readSpans, type StreamSpan } from '../store/stored-counts.ts';
import { nameConnection, nameStream } from './describe-access.ts';

export interface TryPrompt {
  readonly connection_id: string;
  readonly source: string;
  readonly prompt: string;
}

const MOST_PROMPTS = 6;
const DAY = 86_400_000;

/**
 * What people ask of streams that go by these names. `{source}` is the connection, `{stream}` its label; `{month}`,
 * `{year}` and `{day}` are times that the stream has records of.
 */
const known: readonly [RegExp, string][] = [
  [
    /transaction|payment|purchase/,
    'Where did my money go in {month}? Add up my {source} {stream} by category{currency}.',
  ],
  [/play|listen|scrobble/, 'Which artists did I play most in {year} on {source}, month by month?'],
  [/sample|workout|heart|sleep/, 'How have my {source} numbers changed over the six months to {month}?'],
  [
    /calendar|event/,
    'How many hours of appointments did I have per week in {source} in {month}, and with whom?',
  ],
  [/mail|thread/, 'Who wrote to me most in {source} in {month}, and what is still open?'],
  [/conversation|chat|message/, 'What were the main topics in {source} in the week to {day}?'],
  [/issue|task|commit|pull/, 'What did I work on in {month} according to {source}?'],
  [/note|page|document/, 'Find what I wrote in {source} about my plans for {year}.'],
];

/** One question per connection, about its largest stream; connections in the order in which the owner added them. */
export async function readTryPrompts(store: ReadStore, catalog: Catalog, now: Date): Promise<TryPrompt[]> {
  // What lies ahead, such as a flight in the calendar, is not asked about.
  const counts = await readSpans(store, Math.floor(now.getTime() / DAY));
  const sizeOf = (stream: CatalogStream) => counts.get(stream.streamId)?.records ?? 0;
  const largest = catalog.connections.flatMap(({ connection_id }) =>
    catalog.streams
      .filter((stream) => stream.connection.connection_id === connection_id && sizeOf(stream) > 0)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, 1),
  );
  return largest.slice(0, MOST_PROMPTS).map((stream) => {
    const { connection_id } = stream.connection;
    const source = nameConnection(catalog, connection_id);
    return { connection_id, source, prompt: writePrompt(stream, source, counts.get(stream.streamId)) };
  });
}

function writePrompt(stream: CatalogStream, source: string, span: StreamSpan | undefined): string {
  const label = nameStream(stream, stream.name);
  const names = `${stream.name} ${label}`.toLowerCase();
  const counted = 'How many {stream} do I have in {source} per month, and which month stands out?';
  const timed = known.find(([name]) => name.test(names))?.[1];
  const template = typeof span?.last !== 'number' ? counted : (timed ?? counted);
  const words: Record<string, string> = {
    source,
    stream: label.toLowerCase(),
    // A sum over two currencies is no sum.
    currency: stream.fields.has('currency') ? ', each currency by itself' : '',
    ...nameTimes(span?.first ?? 0, span?.last ?? 0),
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
}

/** Before this day of a month the month before has more to tell. */
const MIDDLE = 15;

/** Times the stream has something of, given its first and last day since 1970. */
function nameTimes(firstDay: number, lastDay: number): { day: string; month: string; year: string } {
  const last = new Date(lastDay * DAY);
  const before = Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 0);
  const told = last.getUTCDate() < MIDDLE && firstDay * DAY <= before ? before : last;
  const name = (at: number | Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(at);
  return {
    day: name(last, { day: 'numeric', month: 'long', year: 'numeric' }),
    month: name(told, { month: 'long', year: 'numeric' }),
    year: name(last, { year: 'numeric' }),
  };
}
