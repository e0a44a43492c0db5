import { describe, expect, it } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { PASSPHRASE } from '../support/oauth-client.ts';
import { readAtRest } from '../support/stores/tables.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser, client } = await useSignedInWorld();

const post = async (path: string, params: Record<string, string>) => {
  const response = await world.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: client.clientId, ...params }).toString(),
  });
  return (await response.json()) as Record<string, string>;
};

describe('the store', () => {
  it('S-01 holds no usable secret at any step of a sign-in', async () => {
    const secrets: Record<string, string> = { passphrase: PASSPHRASE };
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    secrets.link = link.split('/').at(-1) ?? '';

    const pushed = await post('/oauth/par', Object.fromEntries(new URL(client.startUrl().url).searchParams));
    secrets.pushed = pushed.request_uri?.split(':').at(-1) ?? '';
    const device = await post('/oauth/device/code', {});
    Object.assign(secrets, { device: device.device_code, typed: device.user_code?.replace('-', '') });
    const waiting = await browser.open(client.startUrl().url);
    secrets.waiting = waiting.url.split('/').at(-1) ?? '';
    const { code = '', verifier } = await client.approve(browser, { stream: ['0'] });
    Object.assign(secrets, { code, verifier });
    const tokens = (await (await client.redeem(code, verifier)).json()) as Record<string, string>;
    const next = (await (await client.refresh(tokens.refresh_token ?? '')).json()) as Record<string, string>;
    Object.assign(secrets, { access: tokens.access_token, refresh: tokens.refresh_token });
    Object.assign(secrets, { nextAccess: next.access_token, nextRefresh: next.refresh_token });
    secrets.owner = await world.ownerToken();
    // What is refused is written down too, without what was brought.
    secrets.madeUp = 'pdpp_made-up-by-a-stranger';
    await world.rpc(secrets.madeUp, 'tools/list');
    Object.assign(secrets, { wrongCode: 'a-code-nobody-gave', wrongRefresh: 'pdppr_nobody-gave-this' });
    await client.redeem(secrets.wrongCode ?? '', verifier);
    await client.refresh(secrets.wrongRefresh ?? '');
    for (const [name, value] of browser.cookies) secrets[`cookie ${name}`] = value;

    const bytes = await readAtRest(world.store);
    expect(bytes).toContain(client.clientId);
    for (const kind of ['token_issued', 'token_refreshed', 'refused_bearer']) expect(bytes).toContain(kind);
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, secret.length >= 8]).toEqual([name, true]);
      expect([name, bytes.includes(secret)]).toEqual([name, false]);
    }
  });
});
