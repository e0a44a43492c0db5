import { afterEach, describe, expect, it } from 'vitest';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { Interrupted, interruptWhen } from '../../src/store/sqlite/interrupt.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld());
await world.ingest(
  'mine',
  'entries',
  Array.from({ length: 20_000 }, (_, i) =>
    entry(`bulk-${i}`, {
      title: `t${i % 977}`,
      body: 'x',
      ...(i % 2 === 0 ? {} : { created_at: new Date(Date.UTC(2024, 0, 1) + i * 61_000).toISOString() }),
    }),
  ),
);
const { records, search } = world.store.read;
const stream = findStream(await loadCatalog(world.store.read), 'mine', 'entries');
if (stream === undefined) throw new Error('no stream');
const fieldNames = [...stream.fields.keys()];
const scope = {
  stream,
  fields: new Set(fieldNames),
  fieldNames,
  since: undefined,
  until: undefined,
  keys: undefined,
};
const title = stream.fields.get('title');
if (title === undefined) throw new Error('no field');

describe('an interrupted thread', () => {
  afterEach(() => interruptWhen(() => false));

  const reads: [string, () => Promise<unknown>][] = [
    ['groups', () => records.values([scope], title, 10)],
    ['names', () => records.named(scope, title, ['t1'], 10)],
  ];

  it.each(reads)('ends a statement that scans a stream: %s', async (_, read) => {
    await read();
    interruptWhen(() => true);
    await expect(read()).rejects.toBeInstanceOf(Interrupted);
    interruptWhen(() => false);
    await read();
  });

  // Of another stream, so that no row is found and none of the limits ends the scan.
  const parts = [
    { scope: { ...scope, stream: { ...stream, streamId: stream.streamId + 1_000 } }, conditions: [] },
  ];
  const terms = [[{ word: 'x', isPrefix: false }]];
  const searches: [string, () => Promise<unknown>][] = [
    ['counts', () => search.countMatching(parts, terms, 10)],
    ['lists', () => search.matching(parts, terms, 10)],
    ['the newest', () => search.newestMatching(parts, terms, 10)],
    ['postings', () => search.postings(parts, new Map(), { word: 'x', isPrefix: false })],
  ];

  it.each(searches)('ends a search in the middle of its statement: %s', async (_, read) => {
    await read();
    let checks = 0;
    // The first check is before the statement.
    interruptWhen(() => ++checks > 1);
    await expect(read()).rejects.toBeInstanceOf(Interrupted);
    interruptWhen(() => false);
    await read();
  });

  it.each(searches)('ends a search between its statements: %s', async (_, read) => {
    interruptWhen(() => true);
    await expect(read()).rejects.toBeInstanceOf(Interrupted);
  });

  it('leaves the lookup of one record alone', async () => {
    interruptWhen(() => true);
    expect(await records.find(scope, 'bulk-1', 'exact')).toHaveLength(1);
  });
});
