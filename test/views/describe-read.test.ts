import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { describeRead } from '../../src/views/activity/describe-read.ts';
import type { ReadLine } from '../../src/views/activity/entries.ts';
import { declare, declareStream, string } from '../support/declare.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const world = await useWorld(createWorld());
const streams = [
  ['plays', 'Listening history'],
  ['events', 'Calendar events'],
].map(([name = '', label]) => ({
  ...declareStream(name, { fields: { id: string } }),
  display: { label, detail: 'Something.' },
}));
await world.addSource(declare('log', streams), { spotify: 'Spotify', calendar: 'Calendar' });
const catalog = await loadCatalog(world.store.read);
const toSentence = (line: Partial<ReadLine>) =>
  describeRead({ outcome: 'ok', touched: null, way: null, ...line } as ReadLine, catalog).did;

it('adds the word records to uncountable names, and does not repeat names', () => {
  const plays = { connections: ['spotify'], streams: ['plays'] };
  expect(toSentence({ tool: 'query_records', records: 5, ...plays })).toBe(
    'read 5 records of Spotify listening history',
  );
  expect(toSentence({ tool: 'aggregate', records: 0, touched: 3306, way: 'count by artist', ...plays })).toBe(
    'counted 3,306 records of Spotify listening history by artist',
  );
  const events = { connections: ['calendar'], streams: ['events'] };
  expect(toSentence({ tool: 'query_records', records: 5, ...events })).toBe('read 5 Calendar events');
  expect(toSentence({ tool: 'fetch', records: 1, ...events })).toBe('opened one record of Calendar events');
});

it('describes refused reads and empty searches', () => {
  expect(toSentence({ tool: 'search', records: 0, connections: [], streams: [] })).toBe(
    'searched all data it can read and found nothing',
  );
  const vain = (outcome: string) => toSentence({ tool: 'query_records', outcome });
  expect(vain('unknown_field')).toBe('asked for a field that does not exist or that it cannot read');
  expect(vain('not_found')).toBe('asked for a record that does not exist or that it cannot read');
  expect(vain('grant_revoked')).toBe('tried to read');
});
