import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getEventLog } from '../../src/audit/events.ts';
import { viewActivity } from '../../src/views/activity/activity.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { DAY } from '../support/stores/audit.ts';
import { NOW } from '../support/world.ts';

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

interface Row {
  kind: string;
  client: string | null;
  grant_id: string | null;
  detail: string | null;
  n: number;
}
const rowsOf = (...kinds: string[]) =>
  (
    world.store.audit.raw
      .prepare('select kind, client, grant_id, detail, n from events order by id')
      .all() as Row[]
  ).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
const log = () => getEventLog(world.store.audit);

describe('events', () => {
  it('L-01 record registration, request, approval, first token, renewal and a token that has ended', async () => {
    const browser = await createOwnerBrowser(world);
    const client = await OAuthClient.register(world);
    const first = await client.connect(browser, { stream: ['0'] });
    const next = (await (await client.refresh(first.refresh_token)).json()) as typeof first;
    expect((await world.rpc('pdpp_made_up', 'tools/list')).status).toBe(401);
    const kinds = rowsOf().map(({ kind }) => kind);
    expect(kinds).toEqual([
      'signed_in',
      'registered',
      'asked',
      'approved',
      'token_issued',
      'token_refreshed',
      'refused_bearer',
    ]);
    const approved = rowsOf('approved')[0]?.grant_id;
    expect(approved).toMatch(/^grant_/);
    for (const row of rowsOf('token_issued', 'token_refreshed'))
      expect(row).toMatchObject({ client: 'Test app', grant_id: approved, n: 1 });
    const all = JSON.stringify(rowsOf());
    for (const secret of [first.access_token, first.refresh_token, next.access_token, 'made_up'])
      expect(all).not.toContain(secret.replace(/^pdppr?_/, ''));
  });

  it('record a refused registration by the rule, without its content', async () => {
    const register = (body: unknown) =>
      world.request('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await register({ client_name: 'Zeisig', redirect_uris: ['http://zeisig.example/'] });
    await register({ client_name: 'Zeisig' });
    expect(rowsOf()).toMatchObject([{ kind: 'registration_refused', detail: 'invalid_redirect_uri' }]);
    expect(JSON.stringify(rowsOf())).not.toMatch(/zeisig/i);
  });

  it('do not change a refusal if they cannot be written', async () => {
    world.store.audit.raw.pragma('query_only = on');
    expect((await world.rpc('pdpp_made_up', 'tools/list')).status).toBe(401);
    world.store.audit.raw.pragma('query_only = off');
    expect(world.logged.join()).toContain('event_not_written');
    expect(world.logged.join()).not.toContain('made_up');
  });

  it('omit callers without a token', async () => {
    await world.request('/mcp', { method: 'POST' });
    expect(rowsOf()).toEqual([]);
  });

  it('R-11 a thousand requests with made-up tokens leave two rows, and none of the tokens', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let i = 0; i < 1_000; i += 1)
      await world.request('/v1/schema', { headers: { authorization: `Bearer pdpp_zeisig${i}` } });
    await log().flush(new Date(Date.now() + 61_000), 'due');
    const rows = rowsOf('refused_bearer');
    expect(rows.map(({ n }) => n)).toEqual([1, 999]);
    const files = readdirSync(world.store.directory).map((name) =>
      readFileSync(join(world.store.directory, name), 'latin1'),
    );
    expect(files.join()).not.toContain('zeisig');
  });

  it('R-11 a flood that lasts a day leaves fewer than forty rows, and no count is lost', async () => {
    const { write, flush } = log();
    for (let second = 0; second < DAY / 1_000; second += 1) {
      const at = new Date(NOW.getTime() + second * 1_000);
      await write({ kind: 'refused_bearer', detail: 'from the internet' }, at);
      if (second % 10 === 0) await flush(at, 'due');
    }
    await flush(new Date(NOW.getTime() + DAY), 'all');
    const rows = rowsOf();
    expect(rows.length).toBeLessThan(40);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(DAY / 1_000);
  });

  it('fold the renewals of each app into one row a day', async () => {
    const { write, flush } = log();
    for (let hour = 0; hour < 24; hour += 1)
      for (const grantId of ['grant_a', 'grant_b'])
        await write(
          { kind: 'token_refreshed', grantId, client: grantId },
          new Date(NOW.getTime() + hour * 3_600_000),
        );
    await flush(new Date(NOW.getTime() + DAY), 'due');
    expect(rowsOf().map(({ grant_id, n }) => [grant_id, n])).toEqual([
      ['grant_a', 1],
      ['grant_b', 1],
      ['grant_a', 23],
      ['grant_b', 23],
    ]);
    const { rows } = await viewActivity(world.store, {}, new Date(NOW.getTime() + DAY));
    expect(rows[0]).toMatchObject({ text: 'An app refreshed its token, 23 times.', times: 23 });
  });

  it('are written at once after the clock was turned back', async () => {
    const { write } = log();
    await write({ kind: 'refused_bearer' }, new Date(NOW.getTime() + 72 * 3_600_000));
    await write({ kind: 'refused_bearer' }, NOW);
    expect(rowsOf()).toHaveLength(2);
  });
});
