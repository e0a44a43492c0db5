import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { diarySource } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { OAuthClient, setCheapPassphrase } from '../support/oauth-client.ts';
import { createWorld, ORIGIN, type World } from '../support/world.ts';
import { traceSql } from './trace-sql.ts';

const TYPE = 'https://pdpp.dev/data-access';
const SOURCE = diarySource.source.id;
const MADE_UP = 'https://nobody.example/zzz';
const detail = (source: string, more: object) =>
  JSON.stringify([{ type: TYPE, source: { id: source }, ...more }]);
const stream = (change: object) => detail(SOURCE, { streams: [{ name: 'entries', ...change }] });

/** Names of every kind, one that the full world has and one that nobody has. */
const names: Record<string, [existing: string, madeUp: string]> = {
  source: [stream({}), detail(MADE_UP, { streams: [{ name: 'entries' }] })],
  stream: [stream({}), stream({ name: 'zzz' })],
  wildcard: [stream({ name: '*' }), detail(MADE_UP, { streams: [{ name: '*' }] })],
  field: [stream({ fields: ['title'] }), stream({ fields: ['zzz'] })],
  connection: [stream({ instance_ids: ['mine'] }), stream({ instance_ids: ['zzz'] })],
  view: [stream({ view: 'titles' }), stream({ view: 'zzz' })],
  preset: [detail(SOURCE, { preset: 'short' }), detail(SOURCE, { preset: 'zzz' })],
  window: [
    stream({ time_range: { since: '2026-01-01T00:00:00Z' } }),
    stream({ name: 'members', time_range: { since: '2026-01-01T00:00:00Z' } }),
  ],
  record: [stream({ resources: ['one'] }), stream({ resources: ['zzz'] })],
};

interface Side {
  readonly world: World;
  readonly client: OAuthClient;
}

let sides: { empty: Side; full: Side };
let trace: ReturnType<typeof traceSql>;
beforeAll(async () => {
  const open = async (world: World): Promise<Side> => {
    await setCheapPassphrase(world);
    return { world, client: await OAuthClient.register(world) };
  };
  sides = {
    empty: await open(await createWorld({ clock: 'real' })),
    full: await open(await createDiaryWorld({ clock: 'real' })),
  };
  trace = traceSql();
});
afterAll(() => {
  trace.stop();
  for (const { world } of Object.values(sides)) world.close();
});

interface Told {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
  readonly sql: string[];
}

/** Everything an answer says but the ids and times that are new in every answer. */
async function tell(response: Promise<Response>): Promise<Told> {
  trace.take();
  const answer = await response;
  const body = await answer.text();
  const plain = (text: string) =>
    text
      .replace(/\b[A-Z]{4}-[A-Z]{4}\b/g, '<code>')
      .replace(/[\w-]{16,}(?:\.[\w-]{16,})*/g, (word) => (/\d|[A-Z]/.test(word) ? '<id>' : word))
      .replace(/\b1[7-9]\d{8}\b|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, '<time>');
  return {
    status: answer.status,
    headers: [...answer.headers].map(([name, value]) => [name, plain(value)]),
    body: plain(body),
    sql: trace.take(),
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (world: World, path: string, form: Record<string, string>, headers = {}) =>
  world.request(path, {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams(form).toString(),
  });

const asking: Record<string, (side: Side, details: string) => Promise<Response>> = {
  '/oauth/par': ({ world, client }, details) =>
    post(
      world,
      '/oauth/par',
      Object.fromEntries(new URL(client.startUrl({ authorization_details: details }).url).searchParams),
    ),
  '/oauth/device/code': ({ world, client }, details) =>
    post(world, '/oauth/device/code', { client_id: client.clientId, authorization_details: details }),
  '/oauth/authorize': ({ world, client }, details) => {
    const { pathname, search } = new URL(client.startUrl({ authorization_details: details }).url);
    return world.request(`${pathname}${search}`, { headers: { accept: 'text/html' } });
  },
};

/** What is stored, as opposed to who may come in. */
const STORED = /\b(sources|connections|streams|records|facets|days|history|texts?|vocab|counters)\b/i;

describe('an unknown client that requests rights by name', () => {
  for (const [path, ask] of Object.entries(asking)) {
    it.each(Object.entries(names))(`A-19 learns nothing at ${path} about a %s`, async (_, pair) => {
      const told: Told[] = [];
      for (const side of Object.values(sides))
        for (const details of pair) told.push(await tell(ask(side, details)));
      const [first, ...others] = told as [Told, ...Told[]];
      expect(first.status).toBeLessThan(400);
      for (const other of others) expect(other).toEqual(first);
      // The same statements take the same time; and none of them looks at what is stored.
      expect(first.sql.length).toBeGreaterThan(0);
      expect(first.sql.filter((sql) => STORED.test(sql))).toEqual([]);
    });

    it(`A-19 gets the same error for an invalid form at ${path}, for any stored data`, async () => {
      const wrong = [stream({ zzz: 1 }), stream({ fields: [] }), '[1]', '{', detail(SOURCE, {})];
      for (const details of wrong) {
        const [empty, full] = [await tell(ask(sides.empty, details)), await tell(ask(sides.full, details))];
        expect(full).toEqual(empty);
        expect(full.status === 400 || full.body.includes('invalid_authorization_details')).toBe(true);
      }
    });
  }
});

describe('all other public endpoints', () => {
  const TOKEN = { authorization: 'Bearer pdpp_nobody' };
  const paths = [
    ...['/', '/llms.txt', '/robots.txt', '/healthz', '/metrics', '/favicon.ico', '/icon.svg', '/style.css'],
    ...['/nowhere', '/login', '/login?return_to=/r/mine/entries/one', '/logout', '/setup/nothing'],
    ...['/dashboard', '/dashboard.json', '/dashboard/connect', '/dashboard/connect.md', '/dashboard/apps'],
    ...['/dashboard/apps.json', '/dashboard/activity', '/dashboard/activity.csv', '/dashboard/data?q=one'],
    ...['/oauth/device', '/oauth/device?user_code=ABCD-EFGH', '/oauth/consent/x', '/oauth/authorize/x'],
    ...['/mcp', '/mcp/', '/v1/schema', '/v1/streams', '/v1/search?query=one', '/v1/nowhere'],
    ...['/.well-known/agent-skills/index.json', '/.well-known/agent-skills/pdpp/SKILL.md'],
    ...[
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/nothing',
    ],
  ];
  /** The same place twice: where the full world has something, and where nobody has. */
  const places: [existing: string, madeUp: string][] = [
    ['/r/mine/entries/one', '/r/zzzz/entries/one'],
    ['/r/mine/entries/one.md', '/r/mine/entries/zzz.md'],
    ['/r/mine/entries/one.json', '/r/mine/members/one.json'],
    ['/dashboard/data/mine/entries', '/dashboard/data/zzzz/entries'],
    ['/dashboard/data/mine/entries.json', '/dashboard/data/mine/members.json'],
    ['/v1/streams/entries', '/v1/streams/zzzzzzz'],
    ['/v1/streams/entries/records', '/v1/streams/members/records'],
    ['/v1/streams/entries/records/one', '/v1/streams/entries/records/zzz'],
    ['/v1/streams/entries/aggregate', '/v1/streams/zzzzzzz/aggregate'],
    ['/v1/ingest/mine/entries', '/v1/ingest/zzzz/entries'],
  ];
  const accepts = ['text/html', 'application/json', '*/*'];

  it.each(['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'])(
    'G-15 is the same in both worlds: %s',
    async (method) => {
      for (const path of [...paths, ...places.flat()]) {
        for (const headers of [...accepts.map((accept) => ({ accept })), TOKEN]) {
          const init = { method, headers: { ...headers } };
          const [empty, full] = [
            await tell(sides.empty.world.request(path, init)),
            await tell(sides.full.world.request(path, init)),
          ];
          expect([path, headers, full]).toEqual([path, headers, empty]);
          expect([path, full.sql.filter((sql) => STORED.test(sql))]).toEqual([path, []]);
        }
      }
    },
  );

  it.each(places)('G-11 is the same for %s as for %s', async (existing, madeUp) => {
    const nameless = ({ headers, body, ...rest }: Told, path: string) => {
      const forget = (text: string) => text.replaceAll(encodeURIComponent(path), '').replaceAll(path, '');
      return { ...rest, headers: headers.map(([name, value]) => [name, forget(value)]), body: forget(body) };
    };
    const { world } = sides.full;
    for (const method of ['GET', 'POST']) {
      for (const headers of [...accepts.map((accept) => ({ accept })), TOKEN]) {
        const init = { method, headers: { ...headers } };
        const found = nameless(await tell(world.request(existing, init)), existing);
        expect(found).toEqual(nameless(await tell(world.request(madeUp, init)), madeUp));
      }
    }
  });

  const posts: [path: string, form: (side: Side) => Record<string, string>][] = [
    ['/oauth/token', () => ({ grant_type: 'refresh_token', refresh_token: 'zzz', client_id: 'nobody' })],
    [
      '/oauth/token',
      ({ client }) => ({ grant_type: 'refresh_token', refresh_token: 'zzz', client_id: client.clientId }),
    ],
    [
      '/oauth/token',
      ({ client }) => ({
        grant_type: 'authorization_code',
        code: 'zzz',
        code_verifier: 'a'.repeat(43),
        redirect_uri: client.redirectUri,
        client_id: client.clientId,
      }),
    ],
    [
      '/oauth/token',
      ({ client }) => ({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: 'zzz',
        client_id: client.clientId,
      }),
    ],
    ['/oauth/revoke', ({ client }) => ({ token: 'zzz', client_id: client.clientId })],
    ['/oauth/introspect', () => ({ token: 'zzz' })],
    ['/oauth/device', () => ({ user_code: 'ABCD-EFGH' })],
    ['/oauth/consent/x', () => ({ decision: 'approve' })],
    ['/login', () => ({ passphrase: 'zzz' })],
    ['/setup/zzz', () => ({ passphrase: 'zzz' })],
  ];
  it.each(posts)('G-15 is the same in both worlds: a form to %s', async (path, form) => {
    const [empty, full] = [
      await tell(post(sides.empty.world, path, form(sides.empty))),
      await tell(post(sides.full.world, path, form(sides.full))),
    ];
    expect(full).toEqual(empty);
    expect(full.sql.filter((sql) => STORED.test(sql))).toEqual([]);
  });

  it('G-15 is the same in both worlds: registration, and a wrong passphrase from our own page', async () => {
    const told = [];
    for (const { world } of Object.values(sides)) {
      const registered = await tell(
        world.request('/oauth/register', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ client_name: 'Mail', redirect_uris: ['http://127.0.0.1/callback'] }),
        }),
      );
      const browser = createBrowser(world.request, ORIGIN);
      const page = await browser.submit(await browser.open('/login'), { passphrase: 'wrong' });
      const { status, text } = page;
      told.push({ registered, login: [status, text.replace(/[\w-]{30,}/g, '')], sql: trace.take() });
    }
    expect(told[1]).toEqual(told[0]);
    expect((told[0]?.sql ?? []).filter((sql) => STORED.test(sql))).toEqual([]);
  });
});
