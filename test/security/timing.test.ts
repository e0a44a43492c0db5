import { describe, expect, it } from 'vitest';
import { createToken } from '../../src/secrets/token.ts';
import { postForm } from '../support/oauth-checks.ts';
import type { Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner, client } = await useSignedInWorld();

const ask = (token: string) =>
  world.request('/mcp', { method: 'POST', headers: { authorization: `Bearer ${token}` } });

/** How likely a time of the first list is longer than one of the second: one half when they do not differ. */
function compare(first: readonly number[], second: readonly number[]): number {
  const sorted = [...second].sort((a, b) => a - b);
  const countBelow = (limit: number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return first.reduce((sum, time) => sum + countBelow(time) / sorted.length, 0) / first.length;
}

describe('an invalid token', () => {
  // Asked in random order, so that whatever else the machine does meets all kinds alike. For two thousand
  // times of each kind chance moves the result by 0.009 (one sigma of Mann-Whitney's U), and the bound is six
  // times that: no failure by luck, while a difference of a tenth of the spread of the times would show.
  it('B-10 takes the same time to refuse, for a right or wrong prefix', async () => {
    const makers: Record<string, () => string> = {
      right: () => `${world.mine.slice(0, 40)}${createToken().slice(40)}`,
      wrong: createToken,
    };
    const times: Record<string, number[]> = { right: [], wrong: [] };
    for (let i = 0; i < 4_400; i += 1) {
      const kind = Math.random() < 0.5 ? 'right' : 'wrong';
      const token = makers[kind]?.() as string;
      const started = performance.now();
      const { status } = await ask(token);
      const took = performance.now() - started;
      expect(status).toBe(401);
      if (i >= 400) times[kind]?.push(took);
    }
    const result = compare(times.right ?? [], times.wrong ?? []);
    expect(result).toBeGreaterThan(0.44);
    expect(result).toBeLessThan(0.56);
  }, 120_000);

  it('B-10 is answered with the same bytes for any reason', async () => {
    const { access_token, refresh_token } = await client.connect(owner, { stream: '0' });
    await postForm(world, '/oauth/revoke', { client_id: client.clientId, token: access_token });
    const expired = await client.connect(owner, { stream: '0' });
    world.store.write.raw
      .prepare(`update tokens set expires_at = '2026-01-01T00:00:00.000Z' where payload is not null`)
      .run();
    const tokens = ['x', '???', createToken(), access_token, refresh_token, expired.access_token];
    const answers = new Set<string>();
    for (const path of ['/mcp', '/mcp/'])
      for (const token of tokens) {
        const headers = { authorization: `Bearer ${token}` };
        const response = await world.request(path, { method: 'POST', headers });
        const text = (await response.text()).replace(/req_\w+/, '');
        answers.add(JSON.stringify([response.status, [...response.headers], text]));
      }
    expect([...answers]).toHaveLength(1);
  });
});

describe('issued tokens', () => {
  it('B-11 are unique among ten thousand, with evenly distributed characters', async () => {
    const tokens = Array.from({ length: 10_000 }, createToken);
    const { refresh_token, access_token } = await client.connect(owner, { stream: '0' });
    let chain: Tokens = { refresh_token, access_token } as Tokens;
    const refreshTokens = [refresh_token];
    for (let i = 0; i < 150; i += 1) {
      chain = (await (await client.refresh(chain.refresh_token)).json()) as Tokens;
      tokens.push(chain.access_token);
      refreshTokens.push(chain.refresh_token);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(new Set(refreshTokens).size).toBe(refreshTokens.length);
    for (const token of tokens) expect(token).toMatch(/^pdpp_[\w-]{43}$/);
    for (const token of refreshTokens) expect(token).toMatch(/^pdppr_[\w-]{43}$/);
    // Chi-square over 64 letters at each of the 42 places with six random bits. With 63 degrees of freedom the
    // sum stays below 150 in all but one of 10^8 cases, so this does not fail by chance.
    for (let place = 5; place < 47; place += 1) {
      const counts = new Map<string, number>();
      for (const token of tokens)
        counts.set(token[place] as string, (counts.get(token[place] as string) ?? 0) + 1);
      const expected = tokens.length / 64;
      const sum = [...counts.values()].reduce((all, n) => all + (n - expected) ** 2 / expected, 0);
      expect(counts.size).toBe(64);
      expect(sum).toBeLessThan(150);
    }
  });

  it('B-11 contain no data, and codes are as long', async () => {
    const { code } = await client.approve(owner, { stream: '0' });
    const device = await postForm(world, '/oauth/device/code', { client_id: client.clientId });
    const { device_code } = (await device.json()) as Record<string, string>;
    for (const secret of [code, device_code]) {
      expect(secret).toMatch(/^[\w-]{43,}$/);
      expect(Buffer.from(secret as string, 'base64url').toString('latin1')).not.toMatch(/owner|grant|client/);
    }
  });
});
