import { describe, expect, it, vi } from 'vitest';
import { eventKinds, introspect, outcome, statusOf } from '../support/oauth-checks.ts';
import { OAuthClient, readAnswer, type Tokens } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner, client } = await useSignedInWorld();

const all = { stream: ['0', '1'] };

async function approve() {
  const { code, verifier, done } = await client.approve(owner, all);
  if (code === undefined) throw new Error(`no code: ${done.text}`);
  return { code, verifier };
}

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('PKCE', () => {
  it.each<[string, Record<string, string | undefined>]>([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['a challenge without a method', { code_challenge_method: undefined }],
    ['an empty method', { code_challenge_method: '' }],
    ['plain', { code_challenge_method: 'plain' }],
    ['another case', { code_challenge_method: 's256' }],
    ['a method without a challenge', { code_challenge: undefined }],
    ['42 characters', { code_challenge: CHALLENGE.slice(0, 42) }],
    ['129 characters', { code_challenge: 'a'.repeat(129) }],
    ['a space in the challenge', { code_challenge: `${CHALLENGE.slice(0, 42)} ` }],
  ])('A-03 with %s gives no code', async (_, change) => {
    const { url, state } = client.startUrl(change);
    const page = await owner.open(url);
    expect(page.url.startsWith(client.redirectUri)).toBe(true);
    expect(readAnswer(page)).toEqual({
      code: undefined,
      error: 'invalid_request',
      iss: ORIGIN,
      returnedState: state,
    });
  });

  it('A-03 requires the exact verifier when the code is redeemed', async () => {
    const { code, verifier } = await approve();
    const redeem = (more: Record<string, string>) =>
      client.token({ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...more });
    expect(await outcome(redeem({}))).toEqual([400, 'invalid_grant']);
    expect(await outcome(redeem({ code_verifier: '' }))).toEqual([400, 'invalid_grant']);
    expect(await outcome(redeem({ code_verifier: `${verifier}a` }))).toEqual([400, 'invalid_grant']);
    expect(await outcome(redeem({ code_verifier: 'a'.repeat(43) }))).toEqual([400, 'invalid_grant']);
    for (const code_verifier of ['short', 'a'.repeat(129), `${'a'.repeat(43)}!`])
      expect((await redeem({ code_verifier })).status).toBe(400);
    expect((await redeem({ code_verifier: verifier })).status).toBe(200);
  });

  it('A-03 does not accept the challenge as the verifier', async () => {
    const { url } = client.startUrl();
    const challenge = new URL(url).searchParams.get('code_challenge') as string;
    const done = await owner.submit(await owner.open(url), { decision: 'approve', ...all });
    const { code } = readAnswer(done);
    expect(await outcome(client.redeem(code as string, challenge))).toEqual([400, 'invalid_grant']);
  });
});

describe('an authorization code', () => {
  it('A-04 redeemed twenty times at once works once, and then its tokens are revoked', async () => {
    const { code, verifier } = await approve();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.redeem(code, verifier)));
    const bodies = await Promise.all(
      answers.map(async (one) => (await one.json()) as Tokens & { error?: string }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const errors = bodies.flatMap(({ error }) => error ?? []);
    expect(errors).toEqual(Array(19).fill('invalid_grant'));
    const tokens = bodies.find(({ access_token }) => access_token !== undefined) as Tokens;
    expect(await statusOf(world, tokens.access_token)).toBe(401);
    expect(await introspect(world, tokens.access_token)).toEqual({ active: false });
    expect(await introspect(world, tokens.refresh_token)).toEqual({ active: false });
    expect(await outcome(client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await eventKinds(world)).filter((kind) => kind === 'code_replayed')).toHaveLength(1);
  });

  it('A-04 redeemed again later, also after a restart, revokes its tokens and alerts the owner', async () => {
    for (const restart of [false, true]) {
      const { code, verifier } = await approve();
      const tokens = (await (await client.redeem(code, verifier)).json()) as Tokens;
      const other = new OAuthClient(restart ? startAgain(world) : world, client.clientId);
      expect(await statusOf(world, tokens.access_token)).toBe(200);
      const before = (await eventKinds(world)).length;
      expect(await outcome(other.redeem(code, verifier))).toEqual([400, 'invalid_grant']);
      expect(await statusOf(world, tokens.access_token)).toBe(401);
      expect(await outcome(client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
      expect((await eventKinds(world)).slice(before)).toEqual(['code_replayed']);
      expect((await owner.open('/dashboard')).text).toContain('An authorization code was used twice');
    }
  });

  it('A-04 is not used up by a wrong verifier, client or redirect', async () => {
    const { code, verifier } = await approve();
    const other = await OAuthClient.register(world, { client_name: 'Other' });
    const trials = () => [
      client.redeem(code, 'b'.repeat(43)),
      other.redeem(code, verifier),
      new OAuthClient(world, client.clientId, 'http://127.0.0.1:6666/callback').redeem(code, verifier),
    ];
    for (const trial of trials()) expect(await outcome(trial)).toEqual([400, 'invalid_grant']);
    const response = await client.redeem(code, verifier);
    expect(response.status).toBe(200);
    const tokens = (await response.json()) as Tokens;
    for (const trial of trials()) expect(await outcome(trial)).toEqual([400, 'invalid_grant']);
    expect(await statusOf(world, tokens.access_token)).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('A-04 lasts a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const early = await approve();
      vi.setSystemTime(Date.now() + 58_000);
      expect((await client.redeem(early.code, early.verifier)).status).toBe(200);
      const late = await approve();
      vi.setSystemTime(Date.now() + 61_000);
      expect(await outcome(client.redeem(late.code, late.verifier))).toEqual([400, 'invalid_grant']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('A-04 is refused after its grant is revoked', async () => {
    const { code, verifier } = await approve();
    world.store.write.raw.prepare('update grants set revoked_at = ?').run(new Date().toISOString());
    expect(await outcome(client.redeem(code, verifier))).toEqual([400, 'invalid_grant']);
  });
});
