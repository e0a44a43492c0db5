import { beforeAll, describe, expect, it } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { verifyStore } from '../../src/store/sqlite/verify/verify-store.ts';
import { createBrowser } from '../support/browser.ts';
import { declare, declareStream, string, time } from '../support/declare.ts';
import { eventKinds, findCsrf, postPage } from '../support/oauth-checks.ts';
import { PASSPHRASE, signIn } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const { world, owner } = await useSignedInWorld(
  createWorld({ clock: 'real', command: 'npm run -s pdpp --' }),
);
const source = declare('log', [declareStream('notes', { fields: { id: string, at: time }, time: 'at' })]);
let token: string;

beforeAll(async () => {
  await world.addSource(source, { log: 'Log' });
  await world.ingest('log', 'notes', [
    { key: 'late', data: { id: 'late', at: '2026-03-01T23:30:00Z' } },
    { key: 'plain', data: { id: 'plain', at: '2026-03-01T10:00:00' } },
  ]);
  token = (await world.grant([{ connection_id: 'log' }])).token;
});

const post = async (path: string, fields: Record<string, string>) =>
  postPage(owner, path, { csrf: findCsrf(await owner.open('/dashboard/settings')), ...fields });
const countDays = async () => {
  const { structuredContent } = await world.call(token, 'aggregate', {
    stream: 'notes',
    group_by: ['at'],
    interval: 'day',
  });
  return structuredContent.data.groups.map((group: { at: string; value: number }) => [group.at, group.value]);
};

describe('the settings page', () => {
  it('shows the zone, the signed-in browsers and the data folder, as a page and as JSON', async () => {
    await signIn(world);
    const page = await owner.open('/dashboard/settings');
    expect(page.text).toContain('<option value="UTC" selected');
    const { json } = { json: JSON.parse((await owner.open('/dashboard/settings.json')).text) };
    expect(json).toMatchObject({ time_zone: 'UTC', data_folder: world.store.directory });
    expect(json.sessions.filter(({ here }: { here: boolean }) => here)).toHaveLength(1);
    expect(json.sessions.length).toBeGreaterThan(1);
    expect(json.backup_command).toBe(`npm run -s pdpp -- backup FOLDER --data ${world.store.directory}`);
  });

  it('changes the time zone for every later answer', async () => {
    expect(await countDays()).toEqual([['2026-03-01', 2]]);
    const done = await post('/dashboard/settings/zone', { time_zone: 'Europe/Berlin' });
    expect(done.headers.get('location')).toBe('/dashboard/settings?done=zone');
    expect(await countDays()).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 1],
    ]);
    const { structuredContent } = await world.call(token, 'schema');
    expect(structuredContent.data.time_zone).toBe('Europe/Berlin');
    expect(await eventKinds(world)).toContain('time_zone_changed');
  });

  it('leaves stored times without a zone unchanged, so that the store stays consistent', async () => {
    const { timeZone, plainZone } = await loadCatalog(world.store.read);
    expect([timeZone, plainZone]).toEqual(['Europe/Berlin', 'UTC']);
    await world.ingest('log', 'notes', [{ key: 'new', data: { id: 'new', at: '2026-03-01T23:30:00' } }]);
    expect(await countDays()).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 2],
    ]);
    const findings = await verifyStore(world.store.directory);
    expect(findings.filter(({ fine }) => !fine)).toEqual([]);
  });

  it('refuses an unknown time zone', async () => {
    expect((await post('/dashboard/settings/zone', { time_zone: 'Mars/Base' })).status).toBe(400);
    expect((await loadCatalog(world.store.read)).timeZone).toBe('Europe/Berlin');
  });

  it.each([
    [
      'a wrong one',
      { current: 'wrong', passphrase: 'another long one', again: 'another long one' },
      'The current passphrase is wrong',
    ],
    [
      'two that differ',
      { current: PASSPHRASE, passphrase: 'another long one', again: 'another' },
      'The new passphrases do not match',
    ],
    ['one that is too short', { current: PASSPHRASE, passphrase: 'short', again: 'short' }, 'at least 10'],
  ])('does not change the passphrase with %s, and says so at the field', async (_, form, said) => {
    const page = await post('/dashboard/settings/passphrase', form);
    expect([page.status, page.text.includes(said)]).toEqual([400, true]);
    expect(page.text).toContain('aria-describedby="passphrase-problem"');
    await signIn(world);
  });

  it('changes the passphrase and ends all other sessions', async () => {
    const elsewhere = await signIn(world);
    const passphrase = 'another long one';
    const done = await post('/dashboard/settings/passphrase', {
      current: PASSPHRASE,
      passphrase,
      again: passphrase,
    });
    expect(done.headers.get('location')).toBe('/dashboard/settings?done=passphrase');
    expect((await owner.send('/dashboard')).status).toBe(200);
    expect((await elsewhere.send('/dashboard')).status).toBe(303);
    expect(await eventKinds(world)).toContain('passphrase_set');
    const back = { current: passphrase, passphrase: PASSPHRASE, again: PASSPHRASE };
    expect((await post('/dashboard/settings/passphrase', back)).status).toBe(303);
  });
});

describe('the setup page', () => {
  const setUp = async (form: Record<string, string>) => {
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    const browser = createBrowser(world.request, ORIGIN);
    const page = await browser.open(link);
    return { page, done: await browser.submit(page, { passphrase: PASSPHRASE, again: PASSPHRASE, ...form }) };
  };

  it('shows the time zone of the store and saves the chosen one', async () => {
    const { page, done } = await setUp({ time_zone: 'Asia/Tokyo' });
    expect(page.text).toContain('<option value="Europe/Berlin" selected');
    expect(done.url).toBe(`${ORIGIN}/dashboard`);
    expect((await loadCatalog(world.store.read)).timeZone).toBe('Asia/Tokyo');
  });

  it('refuses an unknown time zone and keeps the link valid', async () => {
    const { done } = await setUp({ time_zone: 'Mars/Base' });
    expect([done.status, done.text.includes('Unknown time zone')]).toEqual([400, true]);
  });

  it('keeps the submitted time zone when the passphrase is refused', async () => {
    for (const wrong of [{ again: 'not the same one' }, { passphrase: 'short', again: 'short' }]) {
      const { done } = await setUp({ time_zone: 'Pacific/Auckland', ...wrong });
      expect(done.status).toBe(400);
      expect(done.text).toContain('<option value="Pacific/Auckland" selected');
      // Nor does the script put another in its place.
      expect(done.text).not.toContain('data-browser-zone');
    }
  });

  it('of an empty store also sets the zone of times without one', async () => {
    const fresh = await createWorld({ clock: 'real' });
    const link = await createSetupLink(fresh.store.write, ORIGIN, new Date());
    const browser = createBrowser(fresh.request, ORIGIN);
    const page = await browser.open(link);
    // The script fills in what the browser knows; whoever has none sees what the server goes by.
    expect(page.text).toMatch(/<select[^>]* data-browser-zone/);
    await browser.submit(page, { passphrase: PASSPHRASE, again: PASSPHRASE, time_zone: 'Europe/Berlin' });
    const { timeZone, plainZone } = await loadCatalog(fresh.store.read);
    expect([timeZone, plainZone]).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    fresh.close();
  });
});
