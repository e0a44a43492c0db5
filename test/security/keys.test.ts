import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setPassphrase } from '../../src/owner/passphrase.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, PASSPHRASE } from '../support/oauth-client.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the key of a store', () => {
  it('S-04 can be replaced: tokens keep working, and values signed with it are refused', async () => {
    const old = await createDiaryWorld();
    const args = { stream: 'entries', connection_id: 'mine', limit: 1 };
    const { next_cursor } = (await old.call(old.mine, 'query_records', args)).structuredContent;
    const { directory } = old.store;
    old.store.close();
    rmSync(join(directory, 'server-secret'));
    const world = await createWorld({ directory });
    const refused = await world.call(old.mine, 'query_records', { ...args, cursor: next_cursor });
    expect(refused.structuredContent.error.code).toBe('invalid_cursor');
    const fresh = await world.call(old.mine, 'query_records', args);
    expect(fresh.structuredContent.data).toHaveLength(1);
    world.close();
  });

  it('S-04 of 16 bytes is refused at start', async () => {
    const world = await createWorld();
    const { directory } = world.store;
    world.store.close();
    writeFileSync(join(directory, 'server-secret'), Buffer.alloc(16, 1));
    await expect(openStore(directory)).rejects.toThrow(expect.objectContaining({ code: 'store_unusable' }));
    world.close();
  });
});

describe('the passphrase', () => {
  it('S-03 is stored as scrypt with a salt of its own, and is the key of nothing', async () => {
    const stored: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const world = await createWorld({ clock: 'real' });
      await setPassphrase(world.store.write, PASSPHRASE, async () => true);
      const settings = world.store.write.raw.prepare('select name, value from settings').all();
      stored.push(JSON.stringify(settings));
      world.close();
    }
    for (const text of stored) {
      expect(text).toMatch(/scrypt/);
      expect(text).not.toContain(PASSPHRASE);
    }
    expect(stored[0]).not.toBe(stored[1]);
  });
});

describe('a new passphrase', () => {
  it('S-03 ends the sessions of every other browser', async () => {
    const world = await createWorld({ clock: 'real' });
    const before = await createOwnerBrowser(world);
    expect(new URL((await before.open('/dashboard')).url).pathname).toBe('/dashboard');
    const other = createBrowser(world.request, ORIGIN);
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    const passphrase = 'four other words nobody guesses';
    await other.submit(await other.open(link), { passphrase, again: passphrase });
    expect(new URL((await before.open('/dashboard')).url).pathname).toBe('/login');
    world.close();
  });
});

describe('the audit', () => {
  it('L-02 is shown to no app, whatever its grant', async () => {
    const world = await createDiaryWorld();
    const headers = { authorization: `Bearer ${world.both}`, accept: 'application/json' };
    for (const path of [
      '/dashboard/activity.json',
      '/dashboard/activity.csv',
      '/dashboard/apps.json',
      '/v1/audit',
    ]) {
      const response = await world.request(path, { headers });
      expect([path, [401, 403, 404].includes(response.status)]).toEqual([path, true]);
      expect(await response.text()).not.toContain('Test app');
    }
    world.close();
  });
});

describe('a self-contained token', () => {
  const claims = { iss: 'http://127.0.0.1:7733', aud: 'http://127.0.0.1:7733/mcp', sub: 'owner', exp: 4e9 };
  const sign = (header: object, key: string | Uint8Array) => {
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };

  it('S-07 is refused with any signature', async () => {
    const world = await createDiaryWorld();
    const forged = [
      `${encode({ alg: 'none' })}.${encode(claims)}.`,
      sign({ alg: 'HS256', typ: 'at+jwt' }, world.store.secret),
      sign({ alg: 'HS256', kid: '../../dev/null' }, ''),
      sign({ alg: 'HS256', jku: 'https://evil.example/keys' }, 'key'),
    ];
    for (const token of forged) expect((await world.rpc(token, 'tools/list')).status).toBe(401);
    world.close();
  });
});
