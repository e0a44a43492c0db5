import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, createBrowser } from '../support/browser.ts';
import { post, sendFiles, waitForJob } from '../support/inputs/upload.ts';
import { postModern } from '../support/mcp-post.ts';
import { OAuthClient, signIn, type Tokens } from '../support/oauth-client.ts';
import {
  type Deployment,
  engineNames,
  type ServedAt,
  setUp,
  startDeployment,
} from '../support/servers/deployment.ts';
import { useFolder } from '../support/temp-folder.ts';

/** An owner with a browser, records that hold a word of their own, and an app that may read them. */
interface Owner extends ServedAt {
  readonly browser: Browser;
  readonly client: OAuthClient;
  readonly tokens: Tokens;
  readonly stream: string;
}

const ROWS = 40;
/** The same keys for both, so that a mix-up would not fail by accident. */
const table = (word: string) =>
  `id,title,price\n${Array.from({ length: ROWS }, (_, at) => `${at},${word} ferry,${at}`).join('\n')}\n`;
const words = { alice: 'zanzibar', bob: 'timbuktu' } as const;

async function prepare(deployment: Deployment, name: keyof typeof words): Promise<Owner> {
  const server = deployment.at(name);
  const { origin } = server;
  const browser = await setUp(server, await deployment.add(name));
  const sender = { origin, 'sec-fetch-site': 'same-origin' };
  const sent = await sendFiles(browser, [{ name: 'trips.csv', content: table(words[name]) }], { sender });
  const path = sent.headers.get('location') as string;
  await waitForJob(browser, path, 'ready');
  await post(browser, `${path}/run`, { take_0: 'yes', name_0: 'Trips' }, origin);
  await waitForJob(browser, path, 'done');
  const client = await OAuthClient.register(server);
  const tokens = await client.connect(browser, { preset: 'everything' });
  const { data } = await call({ ...server, tokens }, 'schema', {});
  const stream = data.connectors[0].connections[0].streams[0].name;
  return { ...server, browser, client, tokens, stream };
}

/** Calls a tool of one owner's server. */
async function call(at: Pick<Owner, 'request' | 'tokens'>, name: string, args: object) {
  const { messages } = await postModern(at, at.tokens.access_token, 'tools/call', { name, arguments: args });
  return messages[0].result.structuredContent;
}

describe.each(engineNames)('two owners of one server on %s', (engine) => {
  const folder = useFolder();
  let deployment: Deployment;
  let alice: Owner;
  let bob: Owner;
  beforeAll(async () => {
    deployment = await startDeployment(engine, folder);
    // Added while the server runs, and used at once.
    alice = await prepare(deployment, 'alice');
    bob = await prepare(deployment, 'bob');
  }, 120_000);
  afterAll(() => deployment.close());

  it('have addresses, metadata and data of their own', async () => {
    for (const owner of [alice, bob]) {
      const metadata = await (await owner.request('/.well-known/oauth-authorization-server')).json();
      expect(metadata).toMatchObject({ issuer: owner.origin, token_endpoint: `${owner.origin}/oauth/token` });
      const resource = await (await owner.request('/.well-known/oauth-protected-resource/mcp')).json();
      expect(resource).toMatchObject({ resource: `${owner.origin}/mcp` });
      expect(await (await owner.request('/llms.txt')).text()).toContain(owner.origin);
    }
    const found = (owner: Owner, query: string) => call(owner, 'search', { query });
    expect((await found(alice, words.alice)).results.length).toBeGreaterThan(0);
    expect((await found(bob, words.bob)).results.length).toBeGreaterThan(0);
    expect(JSON.stringify(await found(alice, words.bob))).not.toContain(`<mark>${words.bob}`);
    expect(JSON.stringify(await found(bob, words.alice))).not.toContain(`<mark>${words.alice}`);
    // A typo is corrected with the words of this owner only.
    expect(JSON.stringify(await found(alice, 'timbuktoo'))).not.toContain('timbuktu');
    const counts = await Promise.all(
      [alice, bob].map((owner) => call(owner, 'aggregate', { stream: owner.stream, metric: 'count' })),
    );
    expect(counts.map(({ data }) => data.total)).toEqual([ROWS, ROWS]);
    // The main owner has no data, no passphrase and no apps.
    expect((await deployment.main.request('/mcp', { method: 'POST' })).status).toBe(401);
  });

  it('refuse tokens, refresh tokens and codes of each other', async () => {
    const { messages: _, ...refused } = await postModern(bob, alice.tokens.access_token, 'tools/list');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(`${bob.origin}/.well-known/`);
    expect((await deployment.main.request('/v1/streams', bearer(alice))).status).toBe(401);
    expect((await bob.request('/v1/streams', bearer(alice))).status).toBe(401);

    // Alice's client is not registered with Bob, and even a client of Bob's cannot use what Alice gave.
    const crossed = new OAuthClient(bob, alice.client.clientId);
    for (const client of [crossed, bob.client]) {
      const response = await client.refresh(alice.tokens.refresh_token);
      expect([response.status, await response.json()]).toEqual([
        expect.toSatisfy((status: number) => status === 400 || status === 401),
        expect.objectContaining({ error: expect.stringMatching(/^invalid_(grant|client)$/) }),
      ]);
    }
    const { code = '', verifier } = await alice.client.approve(alice.browser, { preset: 'everything' });
    expect((await bob.client.redeem(code, verifier)).status).toBe(400);
    // The attempt at the wrong owner has not used the code up.
    expect((await alice.client.redeem(code, verifier)).status).toBe(200);
    expect((await alice.client.refresh(alice.tokens.refresh_token)).status).toBe(200);
  });

  it('refuse cookies and forms of each other', async () => {
    const cookie = [...alice.browser.cookies]
      .map(([key, value]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
    expect((await alice.request('/dashboard/data.json', { headers: { cookie } })).status).toBe(200);
    for (const other of [bob, deployment.main])
      expect((await other.request('/dashboard/data.json', { headers: { cookie } })).status).toBe(401);
    // Bob's browser with a form of Alice's page.
    const form = await alice.browser.open('/dashboard/settings');
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const page = await bob.browser.send('/dashboard/sign-out', {
      method: 'POST',
      body: new URLSearchParams({ csrf }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: bob.origin },
    });
    expect([403, 404]).toContain(page.status);
    expect((await bob.browser.open('/dashboard/data.json')).status).toBe(200);
    // Nor may a page at Alice's address send forms to Bob.
    const crossed = await bob.browser.send('/login', {
      method: 'POST',
      body: '',
      headers: { origin: alice.origin },
    });
    expect(crossed.status).toBe(403);
  });

  it('refuse cursors of each other', async () => {
    const page = await call(alice, 'query_records', { stream: alice.stream, limit: 2 });
    expect(page.next_cursor).toEqual(expect.any(String));
    const args = { stream: bob.stream, limit: 2, cursor: page.next_cursor };
    expect((await call(bob, 'query_records', args)).error.code).toBe('invalid_cursor');
    const own = await call(alice, 'query_records', {
      stream: alice.stream,
      limit: 2,
      cursor: page.next_cursor,
    });
    expect(own.data).toHaveLength(2);
  });

  it('do not see uploads, imports, reads and events of each other', async () => {
    const sender = { origin: alice.origin, 'sec-fetch-site': 'same-origin' };
    const sent = await sendFiles(alice.browser, [{ name: 'more.csv', content: table('nairobi') }], {
      sender,
    });
    const path = sent.headers.get('location') as string;
    await waitForJob(alice.browser, path, 'ready');
    for (const end of ['', '.json']) expect((await bob.browser.open(`${path}${end}`)).status).toBe(404);
    expect((await post(bob.browser, `${path}/run`, { take_0: 'yes' }, bob.origin)).status).toBe(404);
    expect((await post(bob.browser, `${path}/discard`, {}, bob.origin)).status).toBe(404);
    expect((await alice.browser.open(path)).status).toBe(200);

    await call(alice, 'search', { query: 'ferry' });
    await call(bob, 'search', { query: 'ferry' });
    const activity = (owner: Owner) => owner.browser.open('/dashboard/activity.json');
    const [hers, his] = [(await activity(alice)).text, (await activity(bob)).text];
    const apps = await Promise.all([alice, bob].map((owner) => owner.browser.open('/dashboard/apps.json')));
    const ids = apps.map(({ text }) => new Set(text.match(/grant_[A-Za-z0-9]{10,}/g)));
    expect(ids.map(({ size }) => size > 0)).toEqual([true, true]);
    for (const id of ids[0] ?? []) expect([ids[1]?.has(id), his.includes(id)]).toEqual([false, false]);
    for (const id of ids[1] ?? []) expect(hers.includes(id)).toBe(false);
  });

  it('do not lock each other out when strangers guess a passphrase', async () => {
    const stranger = createBrowser(alice.request, alice.origin);
    const form = await stranger.open('/login');
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1)
      statuses.push((await stranger.submit(form, { passphrase: `wrong guess ${tries}` })).status);
    expect(statuses.at(-1)).toBe(429);
    // The same address may still sign in at Bob's.
    await signIn(bob);
  });

  it('are chosen by the Host header alone', async () => {
    const { port } = deployment;
    const ask = async (...lines: string[]) => {
      const answer = await deployment.raw([...lines, 'Connection: close', '', ''].join('\r\n'));
      return { status: Number(answer.slice(9, 12)), issuer: /"issuer":"([^"]*)"/.exec(answer)?.[1] };
    };
    const path = '/.well-known/oauth-authorization-server';
    const get = `GET ${path} HTTP/1.1`;
    const refused = { status: 403, issuer: undefined };
    const isAlice = { status: 200, issuer: alice.origin };
    expect(await ask(get, `Host: ${alice.host}`)).toEqual(isAlice);
    // Headers of proxies name no owner.
    for (const header of ['X-Forwarded-Host', 'X-Original-Host', 'X-Host', 'Forwarded'])
      expect(
        await ask(
          get,
          `Host: ${alice.host}`,
          `${header}: ${header === 'Forwarded' ? 'host=' : ''}${bob.host}`,
        ),
      ).toEqual(isAlice);
    expect(await ask(get, `Host: 127.0.0.1:${port}`, `X-Forwarded-Host: ${bob.host}`)).toEqual({
      status: 200,
      issuer: deployment.main.origin,
    });
    // Other forms of a name could mean another owner to a proxy.
    for (const host of [
      ...[
        'alice.localhost',
        `alice.localhost:${port + 1}`,
        `alice.localhost:0${port}`,
        `alice.localhost.:${port}`,
      ],
      ...[
        `ALICE.localhost:${port}`,
        `alice.localhost:${port}.`,
        `x@alice.localhost:${port}`,
        `.alice.localhost:${port}`,
      ],
      ...[`nobody.localhost:${port}`, `localhost.:${port}`, '', '..', `alice.localhost:${port}, ${bob.host}`],
    ])
      expect([host, (await ask(get, `Host: ${host}`)).issuer]).toEqual([host, undefined]);
    expect(await ask(get, `Host: nobody.localhost:${port}`)).toEqual(refused);
    // A request line may name the host as well: both must agree.
    expect(await ask(`GET http://${alice.host}${path} HTTP/1.1`, `Host: ${alice.host}`)).toEqual(isAlice);
    expect(await ask(`GET http://${bob.host}${path} HTTP/1.1`, `Host: ${alice.host}`)).toEqual(refused);
    const twice = await ask(get, `Host: ${alice.host}`, `Host: ${bob.host}`);
    expect([400, 403]).toContain(twice.status);
    expect((await ask(`GET ${path} HTTP/1.0`)).issuer).toBeUndefined();
  });

  it('answers for an unknown host as for any host where there is one owner', async () => {
    const unknown = await deployment.main.request('/dashboard', { headers: { host: 'nobody.localhost:1' } });
    const stranger = await deployment.main.request('/dashboard', {
      headers: { host: `nobody.localhost:${deployment.port}` },
    });
    const [said, expected] = await Promise.all(
      [stranger, unknown].map(async (answer) => (await answer.text()).replace(/req_\w+/, 'req')),
    );
    expect(said).toBe(expected);
    expect([stranger.status, [...stranger.headers.keys()].sort()]).toEqual([
      403,
      [...unknown.headers.keys()].sort(),
    ]);
  });

  it('end within a second when they are removed, and a new owner of the name starts empty', async () => {
    const removing = deployment.run('owner', 'remove', 'alice', '--yes');
    await vi.waitFor(async () => expect((await alice.request('/healthz')).status).toBe(403), {
      timeout: 20_000,
    });
    expect((await removing).err).toBe('');
    expect((await removing).code).toBe(0);
    const [again, link] = [deployment.at('alice'), await deployment.add('alice')];
    const isServed = async () => expect((await again.request('/healthz')).status).toBe(200);
    await vi.waitFor(isServed, { timeout: 1_000 });
    expect((await postModern(again, alice.tokens.access_token, 'tools/list')).status).toBe(401);
    const browser = await setUp(again, link);
    expect((await browser.open('/dashboard/data.json')).text).not.toContain('Trips');
    expect((await call(bob, 'aggregate', { stream: bob.stream, metric: 'count' })).data.total).toBe(ROWS);
  });
});

function bearer({ tokens }: Owner): RequestInit {
  return { headers: { authorization: `Bearer ${tokens.access_token}` } };
}
