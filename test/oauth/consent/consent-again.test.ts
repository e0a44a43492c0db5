import { describe, expect, it } from 'vitest';
import { createSessions } from '../../../src/owner/sessions.ts';
import type { FormChange, Page } from '../../support/browser.ts';
import { readForm } from '../../support/browser.ts';
import { declare, declareStream, string, time } from '../../support/declare.ts';
import { PASSPHRASE, readAnswer } from '../../support/oauth-client.ts';
import { queryTables } from '../../support/stores/tables.ts';
import { useSignedInWorld } from '../../support/use-world.ts';
import { createWorld, ORIGIN } from '../../support/world.ts';
import { readConsentForm, tick } from './consent-form.ts';

const STREAMS = 53;
const fields = { id: string, title: string, phone: string, sent_at: time };
const streams = (count: number, more = {}) =>
  Array.from({ length: count }, (_, i) =>
    declareStream(`s${i}`, { fields: { ...fields, ...more }, time: 'sent_at' }),
  );

let version = 1;
const { world, owner, client } = await useSignedInWorld(createWorld({ clock: 'real' }));
await world.addSource(declare('mail', streams(STREAMS)), { mail: 'Mail' });

/** What a page would approve if it were sent back as it is. */
function wouldApprove(page: Page) {
  const sent = readForm(page.text).fields;
  const ticked = readConsentForm(page).filter((stream) => stream.ticked);
  return {
    streams: ticked.map((stream) => `${stream.connection}/${stream.label}`),
    fields: ticked.map((stream) =>
      stream.fields.filter((field) => field.ticked && !field.always).map((field) => field.name),
    ),
    window: sent.get('window'),
    since: sent.get('since'),
    until: sent.get('until'),
    expires: sent.get('expires'),
  };
}

const ONE = { 'Mail/s7': ['title'] };
const oneStream = {
  streams: ['Mail/s7'],
  fields: [['title']],
  window: 'all',
  since: '',
  until: '',
  expires: '1d',
};
const open = () => owner.open(client.startUrl().url);
const send = async (change: FormChange, wanted: Parameters<typeof tick>[1] = ONE) => {
  const page = await open();
  return owner.submit(page, { decision: 'approve', expires: '1d', ...tick(page, wanted), ...change });
};
/** The same source, in a version that offers something else. */
const redeclare = (declared: ReturnType<typeof streams>) => {
  version += 1;
  return world.addSource(
    { ...(declare('mail', declared) as object), declaration_version: String(version) },
    {},
  );
};

describe('a consent page that comes back', () => {
  it('starts with nothing ticked, and a preset ticks everything, which must not return', async () => {
    const page = await open();
    expect(wouldApprove(page)).toMatchObject({ streams: [], window: 'all', expires: '1y' });
    const wide = wouldApprove(await owner.submit(page, { preset: 'everything' }));
    expect([wide.streams.length, wide.window, wide.expires]).toEqual([STREAMS, 'all', '1y']);
  });

  it('keeps one stream, one day and two dates in the wrong order', async () => {
    const dates = { window: 'custom', since: '2026-02-01', until: '2026-01-01' };
    const page = await send(dates);
    expect(page.status).toBe(400);
    expect(page.text).toContain('The first day must not be after the last day.');
    expect(wouldApprove(page)).toEqual({ ...oneStream, ...dates });
  });

  it('ticks nothing when nothing was chosen', async () => {
    const page = await send({ stream: null, field: null });
    expect([page.status, page.text.includes('Select what the app may read')]).toEqual([400, true]);
    expect(wouldApprove(page)).toEqual({ ...oneStream, streams: [], fields: [] });
    const [stream] = readConsentForm(page);
    expect(stream?.fields.filter((field) => field.ticked && !field.always)).toEqual([]);
  });

  it.each<[name: string, change: FormChange, expected: Partial<ReturnType<typeof wouldApprove>>]>([
    ['an unknown window', { window: 'forever' }, { window: null }],
    ['a window nobody offered', { window: 'last_9999_days' }, { window: null }],
    ['no window', { window: null }, { window: null }],
    ['an unknown end', { expires: 'forever' }, { expires: '' }],
    ['no end', { expires: null }, { expires: '' }],
    [
      'a day that is none',
      { window: 'custom', since: '2026-02-31' },
      { window: 'custom', since: '2026-02-31' },
    ],
    ['words for a day', { window: 'custom', since: 'yesterday' }, { window: null, since: 'yesterday' }],
    ['two days that were not given', { window: 'custom' }, { window: 'custom' }],
    ['a day that nothing uses', { since: '2026-01-01' }, { since: '2026-01-01' }],
  ])('with %s asks for that again and fills nothing in', async (_, change, expected) => {
    const page = await send(change);
    expect(page.status).toBe(400);
    expect(wouldApprove(page)).toEqual({ ...oneStream, ...expected });
    expect(wouldApprove(await owner.open(page.url))).toEqual({ ...oneStream, ...expected });
  });

  it('keeps ticks that still exist when the offer changes, ticks nothing new, and shows a notice', async () => {
    const page = await open();
    await redeclare(streams(STREAMS + 1, { mood: string }));
    const form = tick(page, { 'Mail/s7': ['title'], 'Mail/s9': ['phone'] });
    const again = await owner.submit(page, { decision: 'approve', expires: '1w', ...form });
    expect(again.status).toBe(409);
    expect(again.text).toContain('new items are not selected');
    expect(wouldApprove(again)).toEqual({
      ...oneStream,
      streams: ['Mail/s7', 'Mail/s9'],
      fields: [['title'], ['phone']],
      expires: '1w',
    });
  });

  it('keeps a tick whose stream moved to another position', async () => {
    const page = await open();
    // `a` comes before `mail`, so that every stream gets another number.
    await world.addSource(declare('notes', streams(3)), { a: 'A notes' });
    const again = await owner.submit(page, { decision: 'approve', expires: '1d', ...tick(page, ONE) });
    expect(again.status).toBe(409);
    expect(wouldApprove(again)).toEqual(oneStream);
    const done = await owner.submit(again, { decision: 'approve' });
    expect(readAnswer(done).code).toBeDefined();
  });

  it('does not tick a stream that now includes more fields', async () => {
    const page = await open();
    const needy = streams(STREAMS + 1, { mood: string });
    needy[7] = declareStream('s7', {
      fields: { ...fields, mood: string },
      time: 'sent_at',
      required: ['id', 'mood'],
    });
    await redeclare(needy);
    const form = tick(page, { ...ONE, 'Mail/s9': ['phone'] });
    const again = await owner.submit(page, { decision: 'approve', ...form });
    expect([again.status, wouldApprove(again).streams]).toEqual([409, ['Mail/s9']]);
  });

  it('keeps the form while the owner signs in again after the session ended', async () => {
    const page = await open();
    await createSessions(world.store).closeAll();
    const form = { ...tick(page, ONE), window: 'custom', since: '2026-03-01', expires: '1m' };
    const login = await owner.submit(page, { decision: 'approve', ...form });
    expect(login.url).toContain('/login?return_to=%2Foauth%2Fconsent%2F');
    const csrf = readForm(page.text).fields.get('csrf') as string;
    const stored = JSON.stringify(await queryTables(world.store, 'select payload from oauth_items'));
    expect([stored.includes('offered'), stored.includes(csrf)]).toEqual([true, false]);
    const again = await owner.submit(login, { passphrase: PASSPHRASE });
    expect(again.url).toContain('/oauth/consent/');
    expect(again.text).toContain('Nothing is approved yet.');
    const kept = { ...oneStream, window: 'custom', since: '2026-03-01', expires: '1m' };
    expect(wouldApprove(again)).toEqual(kept);
    expect(readAnswer(await owner.submit(again, { decision: 'approve' })).code).toBeDefined();
  });

  it('keeps nothing for a browser that never signed in', async () => {
    const page = await open();
    const mark = [...owner.cookies].find(([name]) => name.includes('_known')) as [string, string];
    const session = [...owner.cookies].find(([name]) => /^pdpp_\d+ /.test(name)) as [string, string];
    await createSessions(world.store).close(session[1]);
    owner.cookies.delete(mark[0]);
    const refused = await owner.submit(page, { decision: 'approve', ...tick(page, ONE) });
    expect(refused.status).toBe(401);
    const login = await owner.open(`${ORIGIN}/login`);
    await owner.submit(login, { passphrase: PASSPHRASE });
    expect(wouldApprove(await owner.open(page.url)).expires).toBe('1y');
  });

  it('works for device codes too', async () => {
    const asked = await world.request('/oauth/device/code', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: client.clientId }).toString(),
    });
    const { user_code } = (await asked.json()) as { user_code: string };
    const typed = await owner.open(`${ORIGIN}/oauth/device`);
    const page = await owner.submit(typed, { user_code });
    const sent = { decision: 'approve', ...tick(page, ONE), expires: '1d', window: 'custom' };
    const again = await owner.submit(page, sent);
    expect([again.status, wouldApprove(again)]).toEqual([400, { ...oneStream, window: 'custom' }]);
  });
});
