import { describe, expect, it } from 'vitest';
import { outcome, statusOf } from '../support/oauth-checks.ts';
import { readAnswer, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner, client } = await useSignedInWorld();

describe('the resource', () => {
  const foreign = [
    'https://other.example/mcp',
    `${ORIGIN}/mcp2`,
    `${ORIGIN}/mcp/x`,
    `${ORIGIN}/mcp/../x`,
    `${ORIGIN}/MCP`,
    `${ORIGIN}/mcp?x=1`,
    `${ORIGIN}/mcp#f`,
    'https://127.0.0.1:7733/mcp',
    'http://127.0.0.1:7734/mcp',
    'http://localhost:7733/mcp',
    '/mcp',
    'mcp',
    'javascript:alert(1)',
  ];

  it.each(foreign)('A-21 %s is not ours', async (resource) => {
    const page = await owner.open(client.startUrl({ resource }).url);
    expect(readAnswer(page)).toMatchObject({ error: 'invalid_target', iss: ORIGIN, code: undefined });
  });

  it('A-21 may be absent, have a slash or be the origin; a foreign one beside it is refused', async () => {
    for (const resource of [undefined, `${ORIGIN}/mcp`, `${ORIGIN}/mcp/`, ORIGIN, `${ORIGIN}/`]) {
      const { code, verifier } = await client.approve(owner, { stream: '0' }, { resource });
      const { access_token } = (await (
        await client.token({
          grant_type: 'authorization_code',
          code: code as string,
          code_verifier: verifier,
          redirect_uri: client.redirectUri,
          ...(resource === undefined ? {} : { resource }),
        })
      ).json()) as Tokens;
      expect(await statusOf(world, access_token)).toBe(200);
    }
    const both = `${client.startUrl().url}&resource=${encodeURIComponent('https://other.example/mcp')}`;
    expect(readAnswer(await owner.open(both)).error).toBe('invalid_target');
  });

  it('A-21 of a token request that is foreign does not use up the code or the refresh token', async () => {
    const { code, verifier } = await client.approve(owner, { stream: '0' });
    const redeem = { grant_type: 'authorization_code', code: code as string, code_verifier: verifier };
    for (const resource of foreign)
      expect(await outcome(client.token({ ...redeem, redirect_uri: client.redirectUri, resource }))).toEqual([
        400,
        'invalid_target',
      ]);
    const tokens = (await (await client.redeem(code as string, verifier)).json()) as Tokens;
    const { refresh_token } = tokens;
    for (const resource of foreign)
      expect(await outcome(client.token({ grant_type: 'refresh_token', refresh_token, resource }))).toEqual([
        400,
        'invalid_target',
      ]);
    expect((await client.refresh(refresh_token)).status).toBe(200);
    expect(await statusOf(world, tokens.access_token)).toBe(200);
  });
});
