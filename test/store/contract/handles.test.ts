import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canaryTerms, home, openCanaryWorld, put } from '../../support/canary-world.ts';
import { NOW } from '../../support/world.ts';

const letters = { stream: 'letters', connection_id: 'post_home' };
const terms = { ...canaryTerms, since: undefined, until: undefined, keys: undefined };

/** Handles of each kind, with the call that continues by one. */
const handles = {
  page: { tool: 'query_records', args: { ...letters, limit: 1 }, give: 'next_cursor', take: 'cursor' },
  search: { tool: 'search', args: { query: 'lantern', limit: 1 }, give: 'next_cursor', take: 'cursor' },
  changes: {
    tool: 'query_records',
    args: { ...letters, changes_since: 'now' },
    give: 'next_changes_since',
    take: 'changes_since',
  },
  'page of changes': {
    tool: 'query_records',
    args: { ...letters, changes_since: 'beginning', limit: 1 },
    give: 'next_cursor',
    take: 'cursor',
  },
} as const;

type Kind = keyof typeof handles;

describe('G-12 a handle', () => {
  let world: Awaited<ReturnType<typeof openCanaryWorld>>;
  beforeAll(async () => {
    world = await openCanaryWorld([terms]);
    await world.apply(
      ['letter-number-1', 'letter-number-2', 'letter-number-3'].map((key) =>
        put(home, key, { title: 'lantern', sent_at: '2026-01-20T00:00:00Z' }),
      ),
    );
  });
  afterAll(() => world.close());

  const obtain = async (kind: Kind, token = world.token): Promise<string> => {
    const { tool, args, give } = handles[kind];
    return (await world.call(token, tool, args)).structuredContent[give];
  };
  const use = async (kind: Kind, handle: string, token = world.token, more: object = {}) => {
    const { tool, args, take } = handles[kind];
    const { structuredContent } = await world.call(token, tool, { ...args, ...more, [take]: handle });
    return structuredContent.error?.code ?? 'ok';
  };
  const kinds = Object.keys(handles) as Kind[];

  it.each(kinds)('of a %s works for whom it was made', async (kind) => {
    expect(await use(kind, await obtain(kind))).toBe('ok');
  });

  it.each(kinds)('of a %s is nothing to another grant, even one with the same terms', async (kind) => {
    const other = await world.issue([terms]);
    expect(await use(kind, await obtain(kind), other)).toBe('invalid_cursor');
  });

  it.each(kinds)('of a %s with one character changed is refused, wherever it is', async (kind) => {
    const handle = await obtain(kind);
    for (const at of [0, Math.floor(handle.length / 2), handle.length - 2]) {
      const changed = `${handle.slice(0, at)}${handle[at] === 'A' ? 'B' : 'A'}${handle.slice(at + 1)}`;
      expect(await use(kind, changed)).toBe('invalid_cursor');
    }
  });

  it.each(
    kinds.flatMap((kind) => kinds.filter((other) => other !== kind).map((other) => [kind, other] as const)),
  )('of a %s is not one of a %s', async (kind, other) => {
    expect(await use(other, await obtain(kind))).toBe('invalid_cursor');
  });

  it.each([
    ['page', { filter: { size: 1 } }],
    ['page', { sort: 'size' }],
    ['page', { fields: ['id'] }],
    ['page of changes', { fields: ['id'] }],
    ['search', { query: 'canary' }],
    ['search', { streams: ['letters'] }],
  ] as const)('of a %s is bound to its query: not with %j', async (kind, more) => {
    expect(await use(kind, await obtain(kind), world.token, more)).toBe('invalid_cursor');
  });

  it.each(kinds)('of a %s expires', async (kind) => {
    const handle = await obtain(kind);
    world.setNow(new Date(NOW.getTime() + 91 * 86_400_000));
    const outcome = await use(kind, handle);
    world.setNow(NOW);
    expect(outcome).toBe('invalid_cursor');
  });

  it.each(kinds)('of a %s shows no value of a record to whoever decodes it', async (kind) => {
    const handle = await obtain(kind);
    const decoded = handle.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    for (const value of ['seen-1', 'lantern', 'letter-number', String(Date.parse('2026-01-20T00:00:00Z'))])
      expect(`${handle} ${decoded.join(' ')}`).not.toContain(value);
  });
});
