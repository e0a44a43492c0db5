import type { Catalog, CatalogStream } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/open-store.ts';
import { readSpans } from '../store/stored-counts.ts';
import { nameConnection, nameStream } from './describe-access.ts';

export interface TryPrompt {
  readonly connection_id: string;
  readonly source: string;
  readonly prompt: string;
}

const MOST_PROMPTS = 6;

/** What people ask of streams that go by these names. `{source}` is the connection, `{stream}` its label. */
const known: readonly [RegExp, string][] = [
  [
    /transaction|payment|purchase/,
    'Where did my money go last month? Add up my {source} {stream} by category.',
  ],
  [/play|listen|scrobble/, 'Which artists did I play most this year on {source}, month by month?'],
  [/sample|workout|heart|sleep/, 'How have my {source} numbers changed over the last six months?'],
  [/calendar|event/, 'How many hours of appointments per week do I have in {source}, and with whom?'],
  [/mail|thread/, 'Who wrote to me most in {source} this month, and what is still open?'],
  [/conversation|chat|message/, 'What were the main topics in {source} last week?'],
  [/issue|task|commit|pull/, 'What did I work on last month according to {source}?'],
  [/note|page|document/, 'Find what I wrote in {source} about my plans for this year.'],
];

/** One question per connection, about its largest stream. The largest connections first. */
export async function readTryPrompts(store: ReadStore, catalog: Catalog): Promise<TryPrompt[]> {
  const counts = await readSpans(store);
  const sizeOf = (stream: CatalogStream) => counts.get(stream.streamId)?.records ?? 0;
  const largest = catalog.connections.flatMap(({ connection_id }) =>
    catalog.streams
      .filter((stream) => stream.connection.connection_id === connection_id && sizeOf(stream) > 0)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, 1),
  );
  return largest
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MOST_PROMPTS)
    .map((stream) => {
      const { connection_id } = stream.connection;
      const source = nameConnection(catalog, connection_id);
      return { connection_id, source, prompt: writePrompt(stream, source) };
    });
}

function writePrompt(stream: CatalogStream, source: string): string {
  const label = nameStream(stream, stream.name);
  const names = `${stream.name} ${label}`.toLowerCase();
  const counted = 'How many {stream} do I have in {source} per month, and which month stands out?';
  const template = known.find(([name]) => name.test(names))?.[1] ?? counted;
  return template.replace('{source}', () => source).replace('{stream}', () => label.toLowerCase());
}
