import { getPreparer } from '../../../../src/ingest/prepare-record.ts';
import { type CatalogStream, findStream, loadCatalog } from '../../../../src/schema-index/catalog.ts';

import { indexText, searchText } from '../../../../src/words/index-text.ts';
import type { World } from '../../../support/world.ts';

/** A stream whose fields take values of every shape. `secret_*` fields are never granted. */
export const largeSource = {
  protocol_version: '0.1.0',
  connector_key: 'archive',
  source: { kind: 'connector', id: 'https://sources.example/archive' },
  declaration_version: '1',
  publisher: { id: 'https://sources.example' },
  display: { name: 'Archive' },
  streams: [
    {
      name: 'items',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          body: { type: 'string' },
          tags: { type: 'array', items: { type: 'string' } },
          tree: { type: 'object' },
          kept_at: { type: 'string', format: 'date-time' },
          secret_body: { type: 'string' },
          secret_tags: { type: 'array', items: { type: 'string' } },
          secret_tree: { type: 'object' },
          next_id: { type: 'string' },
        },
        required: ['id'],
      },
      primary_key: ['id'],
      consent_time_field: 'kept_at',
      selection: { fields: true, resources: true },
      relationships: [{ name: 'next', stream: 'items', foreign_key: 'next_id', cardinality: 'has_one' }],
    },
  ],
};

export const grantedFields = ['id', 'title', 'body', 'tags', 'tree', 'kept_at', 'next_id'];

const WORDS = ['harbour', 'lantern', 'the', 'quiet', 'of', 'granite', 'window', 'a', 'letter', 'und'];

type Make = (bytes: number) => Record<string, unknown>;

function writeText(bytes: number): string {
  const words: string[] = [];
  for (let size = 0, at = 0; size < bytes; at++) {
    const word = at % 7 === 0 ? `w${at % 5_000}` : (WORDS[at % WORDS.length] as string);
    words.push(at % 60 === 59 ? `${word}\n` : word);
    size += word.length + 1;
  }
  return words.join(' ').slice(0, bytes);
}

function writeTree(bytes: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: Math.floor(bytes / 17) }, (_, i) => [`key${i}`, i % 100]));
}

function writeTags(bytes: number): string[] {
  return Array.from({ length: Math.floor(bytes / 10) }, (_, i) => `tag${1_000 + (i % 5_000)}`);
}

/** Objects in objects in lists, as deep as ingest takes. */
function writeDeep(bytes: number): Record<string, unknown> {
  const branch = () => {
    let inner: unknown = 'leaf';
    for (let depth = 0; depth < 20; depth++) inner = depth % 2 === 0 ? { a: inner } : [inner];
    return inner;
  };
  return { branches: Array.from({ length: Math.floor(bytes / 95) }, branch) };
}

/** Every shape that a record may be large in, granted and hidden. */
export const shapes: Record<string, Make> = {
  text: (bytes) => ({ body: writeText(bytes) }),
  'hidden text': (bytes) => ({ body: 'short', secret_body: writeText(bytes) }),
  object: (bytes) => ({ tree: writeTree(bytes) }),
  'hidden object': (bytes) => ({ tree: { a: 1 }, secret_tree: writeTree(bytes) }),
  list: (bytes) => ({ tags: writeTags(bytes) }),
  'hidden list': (bytes) => ({ tags: ['one'], secret_tags: writeTags(bytes) }),
  'deep object': (bytes) => ({ tree: writeDeep(bytes) }),
  'undeclared fields': (bytes) => ({ body: 'short', ...writeTree(bytes) }),
  'every shape': (bytes) => ({
    body: writeText(bytes / 4),
    tree: writeTree(bytes / 4),
    tags: writeTags(bytes / 4),
    secret_body: writeText(bytes / 4),
  }),
};

/** A shape as a stored record holds it: its fields as JSON, and what of them is searched. */
interface Made {
  readonly json: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
}

function make(shape: Make, bytes: number): Made {
  const fields = Object.entries(shape(bytes));
  return {
    json: new Map(fields.map(([name, value]) => [name, JSON.stringify(value)])),
    texts: new Map(fields.map(([name, value]) => [name, indexText(searchText(value))])),
  };
}

/**
 * Puts large records into a world. What is large in them is made once for each shape, because parsing, checking and
 * splitting it into words takes longer than everything that is measured here.
 */
export async function createLargeWriter(world: World, bytes: number) {
  const names = Object.keys(shapes);
  const made = new Map<string, Made>();
  const { batches } = world.store.write;
  const catalog = await loadCatalog(world.store.write);
  return async (at: number, emittedAt: string, more: Record<string, unknown> = {}): Promise<void> => {
    const connection = at % 20 === 19 ? 'other' : 'mine';
    const stream = findStream(catalog, connection, 'items') as CatalogStream;
    const shape = names[at % names.length] as string;
    const large = made.get(shape) ?? make(shapes[shape] as Make, bytes);
    made.set(shape, large);
    const data = {
      id: nameItem(at),
      title: `Item ${at}`,
      kept_at: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
      next_id: nameItem(at + 1),
      ...more,
    };
    const line = JSON.stringify({ key: data.id, emitted_at: emittedAt, data });
    const prepared = getPreparer(stream, 'UTC')(line);
    if (prepared.kind === 'refused' || prepared.change.op === 'delete') throw new Error('a line was refused');
    const json = new Map([
      ...large.json,
      ...Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)] as const),
    ]);
    const order = [...new Set([...stream.fields.keys(), ...[...json.keys()].sort()])].filter((name) =>
      json.has(name),
    );
    const texts = { ...prepared.change.texts };
    for (const [name, text] of large.texts) if (!(name in more)) texts[name] = text;
    const whole = `{${order.map((name) => `${JSON.stringify(name)}:${json.get(name)}`).join(',')}}`;
    await batches.write(stream.streamId, [{ ...prepared.change, data: whole, texts }]);
  };
}

function nameItem(at: number): string {
  return `item-${String(at).padStart(4, '0')}`;
}
