import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../src/secrets/token.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld());

const CANARY = 'zeisig';
const entries = () =>
  world.store.audit.raw.prepare('select * from audit order by id').all() as Record<string, unknown>[];
const last = () => entries().at(-1) as Record<string, unknown>;

const calls: [tool: string, args: Record<string, unknown>, told: Record<string, unknown>][] = [
  ['schema', {}, { records: 0, outcome: 'ok' }],
  ['schema', { stream: 'entries' }, { stream: 'entries', connection_id: 'mine', outcome: 'ok' }],
  [
    'query_records',
    { stream: 'entries', fields: ['title'], filter: { title: `mine ${CANARY}` } },
    { stream: 'entries', connection_id: 'mine', fields: 'title', records: 0, outcome: 'ok' },
  ],
  [
    'query_records',
    { stream: 'entries', fields: ['id', 'title'], limit: 2 },
    { fields: 'id,title', records: 2 },
  ],
  [
    'aggregate',
    { stream: 'entries', group_by: ['title'], filter: { title: { ne: CANARY } } },
    { stream: 'entries', outcome: 'ok' },
  ],
  ['search', { query: `marker ${CANARY}` }, { outcome: 'ok' }],
  [
    'fetch',
    { id: 'mine/entries/one', fields: ['title'] },
    { stream: 'entries', fields: 'title', records: 1 },
  ],
  ['fetch', { id: `mine/entries/${CANARY}` }, { records: 0, outcome: 'not_found' }],
  [
    'fetch',
    { id: 'theirs/entries/one' },
    { records: 0, outcome: 'not_found', connection_id: null, stream: null },
  ],
  ['query_records', { stream: CANARY }, { outcome: 'unknown_stream', stream: null }],
  ['query_records', { stream: 'entries', filter: { [CANARY]: 1 } }, { outcome: 'unknown_field' }],
  ['query_records', { stream: 'entries', [CANARY]: 1 }, { outcome: 'unknown_argument' }],
  ['query_records', { stream: 'entries', cursor: CANARY }, { outcome: 'invalid_cursor' }],
];

describe('the audit', () => {
  it.each(calls)('L-01 has one entry for %s %j', async (tool, args, told) => {
    const before = entries().length;
    const { structuredContent } = await world.call(world.mine, tool, args);
    expect(entries()).toHaveLength(before + 1);
    const id =
      structuredContent.meta?.request_id ??
      structuredContent.metadata?.request_id ??
      structuredContent.error?.request_id;
    expect(last()).toMatchObject({ request_id: id, tool, client: 'Test app', surface: 'mcp', ...told });
    expect(last().grant_id).toMatch(/^grant_/);
    expect(last().at).toBe('2026-11-16T12:00:00.000Z');
    expect(last().tokens_out).toBeGreaterThan(0);
  });

  it('distinguishes REST from MCP, and the owner from an app', async () => {
    const owner = await world.ownerToken();
    for (const [token, client] of [
      [world.mine, 'Test app'],
      [owner, 'owner'],
    ] as const) {
      const before = entries().length;
      await world.request('/v1/streams/entries/records?connection_id=mine', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(entries()).toHaveLength(before + 1);
      expect(last()).toMatchObject({ surface: 'rest', tool: 'query_records', client, records: 3 });
    }
  });

  it('has an entry per call of a batch, and none for refused callers', async () => {
    const before = entries().length;
    await world.request('/mcp', { method: 'POST' });
    await world.rpc('pdpp_unknown', 'tools/list');
    await world.rpc(world.mine, 'tools/list');
    expect(entries()).toHaveLength(before);
  });

  it('L-01 is durable before the answer leaves', async () => {
    const { structuredContent } = await world.call(world.mine, 'schema');
    const files = ['audit.sqlite', 'audit.sqlite-wal'].map((name) =>
      readFileSync(join(world.store.directory, name)),
    );
    expect(Buffer.concat(files).includes(structuredContent.meta.request_id)).toBe(true);
  });

  it('L-03 S-05 and the log hold names and counts, never values, query words or names that a caller made up', () => {
    const all = `${JSON.stringify(entries())}${world.logged.join()}`;
    expect(all).toContain('entries');
    for (const secret of [CANARY, 'marker', 'mine one', 'number 0']) expect(all).not.toContain(secret);
  });
});

describe('the data folder', () => {
  it('S-01 holds tokens as hashes only, in every file', async () => {
    const owner = await world.ownerToken();
    const tokens = [world.mine, world.theirs, world.both, owner];
    for (const token of tokens.slice(0, 3)) await world.call(token, 'schema');
    await world.call(world.mine, 'search', { query: world.theirs });
    const names = readdirSync(world.store.directory);
    expect(names).toEqual(expect.arrayContaining(['store.sqlite', 'audit.sqlite']));
    const bytes = Buffer.concat(names.map((name) => readFileSync(join(world.store.directory, name))));
    for (const token of tokens) {
      expect(bytes.includes(token)).toBe(false);
      expect(bytes.includes(token.slice('pdpp_'.length))).toBe(false);
      expect(bytes.includes(hashToken(token))).toBe(true);
      expect(world.logged.join()).not.toContain(token);
    }
  });
});
