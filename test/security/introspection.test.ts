import { describe, expect, it } from 'vitest';
import { introspect, postForm } from '../support/oauth-checks.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner, client } = await useSignedInWorld();

const connect = () => client.connect(owner, { stream: ['0', '1'] });

describe('introspection', () => {
  it('A-23 needs an owner token in the header', async () => {
    const { access_token, refresh_token } = await connect();
    const ask = (headers: Record<string, string> = {}, form = {}) =>
      postForm(world, '/oauth/introspect', { token: access_token, ...form }, headers);
    const cookie = [...owner.cookies].map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; ');
    const refused: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${access_token}` },
      { authorization: `Bearer ${refresh_token}` },
      { authorization: `Bearer ${world.mine}` },
      { authorization: 'Bearer nope' },
      { authorization: `Basic ${Buffer.from(`${client.clientId}:`).toString('base64')}` },
      { cookie },
    ];
    for (const headers of refused) {
      const response = await ask(headers);
      expect([headers, response.status]).toEqual([headers, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(await response.text()).not.toContain('active');
    }
    const token = await world.ownerToken();
    expect((await ask({}, { access_token: token, client_id: client.clientId })).status).toBe(401);
    expect((await world.request(`/oauth/introspect?token=${access_token}`)).status).toBe(405);
    const inQuery = await postForm(
      world,
      `/oauth/introspect?token=${access_token}`,
      {},
      { authorization: `Bearer ${token}` },
    );
    expect(await inQuery.json()).toEqual({ active: false });
  });

  it('A-23 describes a valid token, and reports any other only as inactive', async () => {
    const { access_token, refresh_token } = await connect();
    expect(await introspect(world, access_token)).toMatchObject({
      active: true,
      client_id: client.clientId,
      scope: 'pdpp:read',
      token_type: 'Bearer',
    });
    expect(await introspect(world, refresh_token)).toMatchObject({ active: true });
    const { code } = await client.approve(owner, { stream: '0' });
    const others = ['', 'nope', await world.ownerToken(), code as string, client.clientId, 'owner'];
    for (const token of others) expect(await introspect(world, token)).toEqual({ active: false });
    world.store.write.raw.prepare('update grants set revoked_at = ?').run(new Date().toISOString());
    expect(await introspect(world, access_token)).toEqual({ active: false });
    expect(await introspect(world, refresh_token)).toEqual({ active: false });
  });
});
