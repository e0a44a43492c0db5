import { describe, expect, it } from 'vitest';
import { postForm } from '../support/oauth-checks.ts';
import { OAuthClient, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner, client } = await useSignedInWorld();
let tokens = await client.connect(owner, { stream: ['0', '1'] });

/** So many requests of a stranger, and how many were answered with each status. */
async function flood(count: number, send: (i: number) => Promise<Response>) {
  const counts: Record<number, number> = {};
  let last: Response | undefined;
  for (let i = 0; i < count; i += 1) {
    last = await send(i);
    counts[last.status] = (counts[last.status] ?? 0) + 1;
  }
  return { counts, last };
}

describe('/oauth/token', () => {
  it('R-02 answers a hundred of 750 anonymous requests a second, refuses the rest, and apps stay connected', async () => {
    const guess = (i: number) =>
      postForm(world, '/oauth/token', {
        client_id: client.clientId,
        grant_type: 'refresh_token',
        refresh_token: `guess-${i}`,
      });
    const { counts, last } = await flood(750, guess);
    expect(counts).toEqual({ 400: 100, 429: 650 });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect(await last?.json()).toMatchObject({ error: 'invalid_request' });

    // Several processes on one stored token, from the very address that is refused.
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.refresh(tokens.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    tokens = (await answers[0]?.json()) as Tokens;
    const again = await flood(120, () => client.refresh(tokens.refresh_token));
    expect(again.counts).toEqual({ 200: 120 });
  });

  it('R-02 counts a known token that always fails separately', async () => {
    const wrong = await OAuthClient.register(world);
    const { counts } = await flood(310, () => wrong.refresh(tokens.refresh_token));
    expect(counts).toEqual({ 400: 300, 429: 10 });
  });
});

describe('other endpoints that take tokens', () => {
  it('R-02 revocation limits guesses and still revokes a real token', async () => {
    const mine = await client.connect(owner, { stream: ['0', '1'] });
    const revoke = (token: string) => postForm(world, '/oauth/revoke', { client_id: client.clientId, token });
    const { last } = await flood(101, (i) => revoke(`guess-${i}`));
    expect(last?.status).toBe(429);
    expect((await revoke(mine.refresh_token)).status).toBe(200);
    expect((await client.refresh(mine.refresh_token)).status).not.toBe(200);
  });

  it('R-02 introspection limits unknown callers, never the owner', async () => {
    const ask = (bearer: string) =>
      postForm(world, '/oauth/introspect', { token: 'x' }, { authorization: `Bearer ${bearer}` });
    const { last } = await flood(101, (i) => ask(`guess-${i}`));
    expect(last?.status).toBe(429);
    expect((await ask(await world.ownerToken())).status).toBe(200);
  });

  it.each(['/oauth/par', '/oauth/device/code'])('R-02 %s refuses before it reads the body', async (path) => {
    const { last } = await flood(301, () => postForm(world, path, { client_id: 'nobody' }));
    expect(last?.status).toBe(429);
    const large = await world.request(path, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(100_000),
    });
    expect(large.status).toBe(429);
  });
});
