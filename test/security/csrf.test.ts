import { afterAll, describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { fillGenerated } from '../../bench/generator/fill-generated.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { accountView, createScriptedAccounts } from '../support/accounts/scripted-accounts.ts';
import { type Browser, createBrowser, readForm } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { sendFiles, waitForJob } from '../support/inputs/upload.ts';
import { findCsrf, postForm } from '../support/oauth-checks.ts';
import { PASSPHRASE, setCheapPassphrase, signIn } from '../support/oauth-client.ts';
import { HTTPS_ORIGIN, listRoutes, startHttps } from '../support/servers/servers.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const accounts = createScriptedAccounts();
const { world, client, ...first } = await useSignedInWorld(
  createDiaryWorld({ clock: 'real', accounts: accounts.service }),
);
let { owner } = first;

interface Prepared {
  readonly browser: Browser;
  readonly path: string;
  readonly fields: Record<string, string>;
}

const onOwner = async (path: string, fields: Record<string, string> = {}): Promise<Prepared> => ({
  browser: owner,
  path,
  fields: { csrf: findCsrf(await owner.open('/dashboard/apps')), ...fields },
});
const newGrant = async () =>
  (await world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }])).grantId;
const inNewBrowser = async (path: string, fields: Record<string, string>): Promise<Prepared> => {
  const browser = createBrowser(world.request, ORIGIN);
  return { browser, path, fields: { csrf: findCsrf(await browser.open(path)), ...fields } };
};

/** An upload that waits for the owner. */
const newUpload = async () => {
  const sent = await sendFiles(owner, [{ name: 'rows.csv', content: 'id,note\n1,one\n' }]);
  const path = sent.headers.get('location') as string;
  await waitForJob(owner, path, 'ready');
  return path;
};
/** A form on the page of an account. */
const onAccount = (action: string, fields: Record<string, string> = {}) => {
  accounts.put(accountView());
  return onOwner(`/dashboard/accounts/mail_1/${action}`, fields);
};
const account = { server: 'mail.example.org', user: 'anna', password: 'secret' };
const take = [{ take: true }];
let letGo = () => {};
let zones = 0;
afterAll(() => letGo());

/** Every route by which a browser changes something, each ready to succeed. A new one belongs here. */
const routes: Record<string, () => Promise<Prepared>> = {
  '/login': () => inNewBrowser('/login', { passphrase: PASSPHRASE }),
  '/logout': async () => {
    const browser = await signIn(world);
    return { browser, path: '/logout', fields: { csrf: findCsrf(await browser.open('/dashboard')) } };
  },
  '/logout/everywhere': () => onOwner('/logout/everywhere'),
  '/setup/:secret': async () => {
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    return inNewBrowser(new URL(link).pathname, { passphrase: PASSPHRASE, again: PASSPHRASE });
  },
  '/oauth/consent/:uid to approve': async () => {
    const page = await owner.open(client.startUrl().url);
    const { action, fields } = readForm(page.text);
    return {
      browser: owner,
      path: action,
      fields: { ...Object.fromEntries(fields), stream: '0', decision: 'approve' },
    };
  },
  '/oauth/consent/:uid to deny': async () => {
    const page = await owner.open(client.startUrl().url);
    const { action, fields } = readForm(page.text);
    return { browser: owner, path: action, fields: { ...Object.fromEntries(fields), decision: 'deny' } };
  },
  '/oauth/device': async () => {
    const response = await postForm(world, '/oauth/device/code', { client_id: client.clientId });
    const { user_code } = (await response.json()) as { user_code: string };
    const { fields } = readForm((await owner.open(`/oauth/device?user_code=${user_code}`)).text);
    return { browser: owner, path: '/oauth/device', fields: Object.fromEntries(fields) };
  },
  '/dashboard/apps/:id/revoke': async () => onOwner(`/dashboard/apps/${await newGrant()}/revoke`),
  '/dashboard/apps/:id/expiry': async () =>
    onOwner(`/dashboard/apps/${await newGrant()}/expiry`, { expires: '1w' }),
  '/dashboard/apps/:id/end-connection': async () =>
    onOwner(`/dashboard/apps/${await newGrant()}/end-connection`, { connection_id: 'mine' }),
  '/dashboard/apps/:id/access': async () => {
    const { action, fields } = readForm(
      (await owner.open(`/dashboard/apps/${await newGrant()}/access`)).text,
    );
    return {
      browser: owner,
      path: action,
      fields: { ...Object.fromEntries(fields), stream: '0', decision: 'approve' },
    };
  },
  '/dashboard/alarms/seen': async () => {
    world.store.audit.raw.prepare(`insert into events (at, kind) values ('2026', 'code_replayed')`).run();
    return onOwner('/dashboard/alarms/seen');
  },
  '/oauth/consent/:uid to choose': async () => {
    const page = await owner.open(client.startUrl().url);
    const { action, fields } = readForm(page.text);
    return { browser: owner, path: action, fields: { ...Object.fromEntries(fields), preset: 'everything' } };
  },
  '/dashboard/settings/zone': () => {
    zones += 1;
    return onOwner('/dashboard/settings/zone', { time_zone: `Etc/GMT+${(zones % 12) + 1}` });
  },
  '/dashboard/settings/passphrase': () =>
    onOwner('/dashboard/settings/passphrase', {
      current: PASSPHRASE,
      passphrase: PASSPHRASE,
      again: PASSPHRASE,
    }),
  '/dashboard/connections/:id/rename': () =>
    onOwner('/dashboard/connections/mine/rename', { name: 'Another name' }),
  '/dashboard/connections/:id/remove': async () => {
    const connection = { connection_id: 'spare', connector_key: 'diary', display_name: 'Spare' };
    await addConnection(world.store.write, connection, new Date());
    return onOwner('/dashboard/connections/spare/remove');
  },
  '/dashboard/demo/remove': async () => {
    await fillGenerated(world.store.write, { records: 50, seed: 1, until: DEMO_END }, new Date());
    return onOwner('/dashboard/demo/remove');
  },
  '/dashboard/imports/:id/undo': async () => {
    const path = await newUpload();
    await world.imports.run(path.split('/').at(-1) as string, take);
    const { exports } = await waitForJob(owner, path, 'done');
    return onOwner(`/dashboard/imports/${exports[0]?.result?.import_id}/undo`);
  },
  '/dashboard/imports/new/:id/discard': async () => onOwner(`${await newUpload()}/discard`),
  '/dashboard/imports/new/:id/look': async () =>
    onOwner(`${await newUpload()}/look`, { time_zone: 'Asia/Tokyo' }),
  '/dashboard/imports/new/:id/run': async () => onOwner(`${await newUpload()}/run`, { take_0: 'yes' }),
  '/dashboard/imports/new/:id/stop': async () => {
    letGo();
    // Somebody else's turn lasts, so that this one waits.
    void world.imports.enqueue(() => new Promise<void>((resolve) => (letGo = resolve)));
    const path = await newUpload();
    await world.imports.run(path.split('/').at(-1) as string, take);
    return onOwner(`${path}/stop`);
  },
  '/dashboard/accounts/new/:kind': () => onOwner('/dashboard/accounts/new/imap', account),
  '/dashboard/accounts': async () => {
    const { text } = await owner.submit(await owner.open('/dashboard/accounts/new/imap'), account);
    const [, draft = ''] = /name="draft" value="([^"]+)"/.exec(text) ?? [];
    return onOwner('/dashboard/accounts', { draft, collection: 'INBOX' });
  },
  '/dashboard/accounts/:id/sync': () => onAccount('sync'),
  '/dashboard/accounts/:id/pause': () => onAccount('pause'),
  '/dashboard/accounts/:id/resume': () => onAccount('resume'),
  '/dashboard/accounts/:id/interval': () => onAccount('interval', { interval: '3600' }),
  '/dashboard/accounts/:id/keep-files': () => onAccount('keep-files', { 'keep-files': 'yes' }),
  '/dashboard/accounts/:id/password': () => onAccount('password', { secret: 'another' }),
  '/dashboard/accounts/:id/collections': () => onAccount('collections', { collection: 'Spam' }),
  '/dashboard/accounts/:id/remove': () => onAccount('remove'),
};

/** Answers other than a redirect. */
const successes: Record<string, number> = { '/dashboard/accounts/new/:kind': 200 };

/** Everything that a form can change. */
async function readState(): Promise<string> {
  const read = (sql: string) => world.store.write.raw.prepare(sql).all();
  return JSON.stringify([
    read('select * from grants order by grant_id'),
    read('select session_hash from sessions order by session_hash'),
    read('select * from settings order by name'),
    read('select * from setup_links order by link_hash'),
    read('select kind, id_hash, payload from oauth_items order by kind, id_hash'),
    read('select * from connections order by connection_id'),
    read('select import_id, state from imports order by import_id'),
    (await world.imports.list()).map(({ id, state, choices }) => [id, state, choices]),
    accounts.orders,
    accounts.calls,
    world.store.audit.raw.prepare('select kind, detail from events').all(),
  ]);
}

const SAME = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
const foreign: Record<string, Record<string, string>> = {
  'an evil origin': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'an evil origin, in an old browser': { origin: 'https://evil.example' },
  'an evil origin that claims to be ours': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'same-origin',
  },
  'another port of this computer': { origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' },
  'another site, unnamed': { 'sec-fetch-site': 'cross-site' },
  'the same site, unnamed': { 'sec-fetch-site': 'same-site' },
  'the address bar': { 'sec-fetch-site': 'none' },
  'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'an opaque origin, in an old browser': { origin: 'null' },
  'our origin, told by another site': { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
  nowhere: {},
};
const FORM = 'application/x-www-form-urlencoded';
const types = [FORM, 'text/plain', 'application/json', 'multipart/form-data; boundary=x', undefined];

function send(
  { browser, path, fields }: Prepared,
  headers: Record<string, string>,
  type: string | undefined,
) {
  const form = new URLSearchParams(fields).toString();
  const body = type === 'application/json' ? JSON.stringify(fields) : form;
  return browser.send(path, {
    method: 'POST',
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
    // Bytes bring no type of their own.
    body: type === undefined ? new TextEncoder().encode(body) : body,
  });
}

describe.each(Object.entries(routes))('A-07 a form at %s', (name, prepare) => {
  it('A-07 is refused from other origins, for any content type, and nothing changes', async () => {
    const prepared = await prepare();
    const before = await readState();
    for (const [from, headers] of Object.entries(foreign)) {
      for (const type of types) {
        const { status } = await send(prepared, headers, type);
        expect([from, type, status]).toEqual([from, type, 403]);
      }
    }
    expect(await readState()).toBe(before);
  });

  it('A-07 is refused without the CSRF value of the session, or as another type, and nothing changes', async () => {
    const prepared = await prepare();
    const other = await signIn(world);
    const others = findCsrf(await other.open('/dashboard/apps'));
    const before = await readState();
    for (const csrf of ['', 'x', others, `${prepared.fields.csrf}x`]) {
      const fields = { ...prepared.fields, csrf };
      expect([csrf, (await send({ ...prepared, fields }, SAME, FORM)).status]).toEqual([csrf, 403]);
    }
    const { csrf: _none, ...fields } = prepared.fields;
    expect((await send({ ...prepared, fields }, SAME, FORM)).status).toBe(403);
    for (const type of types.slice(1)) expect((await send(prepared, SAME, type)).status).toBe(415);
    expect(await readState()).toBe(before);
  });

  it('A-07 is accepted from our own pages, and changes something', async () => {
    const prepared = await prepare();
    const before = await readState();
    const { status } = await send(prepared, SAME, FORM);
    expect(status).toBe(successes[name] ?? 303);
    // What takes data out runs beside its request.
    await expect.poll(readState, { timeout: 10_000 }).not.toBe(before);
    // Some have just signed the owner out everywhere, or set a passphrase that costs what a real one does.
    await setCheapPassphrase(world);
    owner = await signIn(world);
  });
});

describe('A-07 the upload at /dashboard/imports', () => {
  it('A-07 is refused from other origins, and without the CSRF value of the session', async () => {
    const files = [{ name: 'rows.csv', content: 'id,note\n1,one\n' }];
    const before = await readState();
    for (const [from, headers] of Object.entries(foreign)) {
      const { status } = await sendFiles(owner, files, { sender: headers });
      expect([from, status]).toEqual([from, 403]);
    }
    for (const csrf of ['', 'x']) expect((await sendFiles(owner, files, { csrf })).status).toBe(403);
    for (const type of types.filter((one) => one !== undefined && !one.startsWith('multipart')))
      expect((await sendFiles(owner, files, { type })).status).toBe(415);
    expect(await readState()).toBe(before);
  });
});

describe('A-07 the list above', () => {
  it('A-07 has every route that changes something, except those that take a token or a code', async () => {
    const forApps = ['device/code', 'introspect', 'par', 'register', 'revoke', 'token'].map(
      (name) => `/oauth/${name}`,
    );
    // Asks for the newest version and stores nothing; test/updates checks its form.
    const storesNothing = '/dashboard/settings/updates';
    const listed = Object.keys(routes).map((name) => name.split(' ')[0] as string);
    const changing = (await listRoutes(world)).filter(({ method }) => !['ALL', 'GET'].includes(method));
    expect([...new Set(changing.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(
      [
        ...new Set([
          ...listed,
          ...forApps,
          storesNothing,
          '/dashboard/imports',
          '/v1/ingest/:connection/:stream',
        ]),
      ]
        .map((path) => `POST ${path}`)
        .sort(),
    );
  });
});

describe('A-07 browsers that send fewer headers', () => {
  it('A-07 are accepted without an origin from pages without a referrer, or with the origin alone', async () => {
    for (const headers of [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin: ORIGIN }])
      expect((await send(await onOwner('/dashboard/alarms/seen'), headers, FORM)).status).toBe(303);
  });

  it('A-07 are refused when they send the http form of an https address', async () => {
    const server = startHttps(world);
    const browser = createBrowser(server.request, HTTPS_ORIGIN);
    const csrf = findCsrf(await browser.open('/login'));
    const login = { browser, path: '/login', fields: { csrf, passphrase: PASSPHRASE } };
    for (const origin of ['http://me.example', 'https://me.example:8443', 'https://evil.example'])
      expect([origin, (await send(login, { origin }, FORM)).status]).toEqual([origin, 403]);
    expect((await send(login, { origin: HTTPS_ORIGIN }, FORM)).status).toBe(303);
  });
});
