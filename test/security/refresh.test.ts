import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashToken } from '../../src/secrets/token.ts';
import { eventKinds, introspect, outcome, refreshed, statusOf } from '../support/oauth-checks.ts';
import { OAuthClient, type Tokens } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import type { World } from '../support/world.ts';

const { world, owner, client } = await useSignedInWorld();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
const connect = (form = {}): Promise<Tokens> => client.connect(owner, { stream: ['0', '1'], ...form });
const onServer = (server: World) => new OAuthClient(server, client.clientId);

/** The refresh tokens of a grant that nobody has used yet. */
function countLive(token: string): number {
  return world.store.write.raw
    .prepare(
      `select count(*) from oauth_items where kind = 'RefreshToken' and consumed_at is null and grant_id =
         (select grant_id from tokens where token_hash = ?)`,
    )
    .pluck()
    .get(hashToken(token)) as number;
}

describe('a refresh token', () => {
  it.each([false, true])(
    'A-05 used again after the grace period ends the family and alerts the owner (restart in between: %s)',
    async (restart) => {
      const r0 = await connect();
      const r1 = await refreshed(client, r0.refresh_token);
      const r2 = await refreshed(client, r1.refresh_token);
      expect(new Set([r0, r1, r2].map((tokens) => tokens.refresh_token)).size).toBe(3);
      for (const { access_token } of [r0, r1, r2]) expect(await statusOf(world, access_token)).toBe(200);
      wait(31 * MINUTE);
      const server = restart ? startAgain(world) : world;
      const before = (await eventKinds(world)).length;
      expect(await outcome(onServer(server).refresh(r0.refresh_token))).toEqual([400, 'invalid_grant']);
      for (const { access_token, refresh_token } of [r0, r1, r2]) {
        expect(await statusOf(server, access_token)).toBe(401);
        expect(await introspect(server, access_token)).toEqual({ active: false });
        expect(await introspect(server, refresh_token)).toEqual({ active: false });
        expect(await outcome(onServer(server).refresh(refresh_token))).toEqual([400, 'invalid_grant']);
      }
      const alarms = (await eventKinds(world)).slice(before);
      expect(alarms.filter((kind) => kind !== 'refused_bearer')).toEqual(['refresh_replayed']);
      expect((await owner.open('/dashboard')).text).toContain('An old refresh token was used again');
    },
  );

  // The rule for clients that run several processes on one stored token: for 30 minutes after its first use
  // a superseded token leads to the one successor that the first use led to, or to where that has got to.
  it('A-05 used again within the grace period gives the same successor', async () => {
    const r0 = await connect();
    const r1 = await refreshed(client, r0.refresh_token);
    for (const server of [world, startAgain(world)]) {
      wait(10 * MINUTE);
      const again = await refreshed(onServer(server), r0.refresh_token);
      expect(again.refresh_token).toBe(r1.refresh_token);
      expect(again.access_token).not.toBe(r1.access_token);
    }
    expect(countLive(r1.access_token)).toBe(1);
    const r2 = await refreshed(client, r1.refresh_token);
    expect((await refreshed(client, r0.refresh_token)).refresh_token).toBe(r2.refresh_token);
    expect((await refreshed(client, r1.refresh_token)).refresh_token).toBe(r2.refresh_token);
    expect(countLive(r2.access_token)).toBe(1);
    // The grace counts from the first use; the uses in between have not prolonged it.
    wait(11 * MINUTE);
    expect(await outcome(client.refresh(r0.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await statusOf(world, r2.access_token)).toBe(401);
  });

  it('A-05 used ten times at once leaves one successor, which works', async () => {
    const r0 = await connect();
    const servers = [world, startAgain(world)];
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => refreshed(onServer(servers[i % 2] as World), r0.refresh_token)),
    );
    expect(new Set(all.map((tokens) => tokens.refresh_token)).size).toBe(1);
    expect(countLive(r0.access_token)).toBe(1);
    expect((await client.refresh((all[3] as Tokens).refresh_token)).status).toBe(200);
  });

  it('A-05 is not used up by another client', async () => {
    const r0 = await connect();
    const other = await OAuthClient.register(world, { client_name: 'Other' });
    expect(await outcome(other.refresh(r0.refresh_token))).toEqual([400, 'invalid_grant']);
    const r1 = await refreshed(client, r0.refresh_token);
    wait(31 * MINUTE);
    expect(await outcome(other.refresh(r0.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await statusOf(world, r1.access_token)).toBe(200);
    expect((await client.refresh(r1.refresh_token)).status).toBe(200);
  });

  it('A-05 that is unknown is refused and changes nothing', async () => {
    const { refresh_token, access_token } = await connect();
    const stored = world.store.write.raw.prepare('select id_hash from oauth_items').pluck().all() as string[];
    const guesses = ['pdppr_x', `${refresh_token}a`, refresh_token.slice(0, -1), access_token, ...stored];
    for (const guess of guesses) expect(await outcome(client.refresh(guess))).toEqual([400, 'invalid_grant']);
    expect(await statusOf(world, access_token)).toBe(200);
  });
});

describe('an access that is used', () => {
  it('A-05 lasts exactly as long as the owner allowed', async () => {
    let tokens = await connect({ expires: '1y' });
    for (let day = 60; day < 365; day += 60) {
      wait(60 * DAY);
      // What has run out is forgotten on the way, and that must not be the access itself.
      tokens = await refreshed(onServer(startAgain(world)), tokens.refresh_token);
      expect(await statusOf(world, tokens.access_token)).toBe(200);
    }
    wait(4 * DAY + DAY / 2);
    tokens = await refreshed(client, tokens.refresh_token);
    expect(tokens.expires_in).toBeLessThan(DAY / 1_000);
    expect(tokens.expires_in).toBeGreaterThan(DAY / 4_000);
    wait(DAY / 2 + MINUTE);
    expect(await statusOf(world, tokens.access_token)).toBe(401);
    expect(await outcome(client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('A-05 ends after 90 days without use', async () => {
    const { refresh_token } = await connect({ expires: 'never' });
    wait(90 * DAY + MINUTE);
    expect(await outcome(client.refresh(refresh_token))).toEqual([400, 'invalid_grant']);
  });
});
