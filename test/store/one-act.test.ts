import { describe, expect, it } from 'vitest';
import { createGrant } from '../../src/grants/grant-store.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { createBrowser, readForm } from '../support/browser.ts';
import { diarySource } from '../support/diary-source.ts';
import { eventKinds, findCsrf } from '../support/oauth-checks.ts';
import { register, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';
import { watchWrites } from './failing-writes.ts';

const { world, owner: browser, client } = await useSignedInWorld();
const writes = watchWrites(world.store);

/** Does the act again and again, failing at its first write, its second, and so on, until there is none left to fail at. */
async function failEverywhere(act: () => Promise<boolean>): Promise<number> {
  const before = writes.snapshot();
  const events = await eventKinds(world);
  for (let at = 1; at < 100; at++) {
    writes.failAt(at);
    const isDone = await act();
    const written = writes.failAt(0);
    if (written < at) {
      expect(isDone).toBe(true);
      expect(writes.snapshot()).not.toBe(before);
      return written;
    }
    expect([at, isDone]).toEqual([at, false]);
    expect(writes.snapshot()).toBe(before);
    // What was not done is not told of either.
    expect(await eventKinds(world)).toEqual(events);
  }
  throw new Error('the act never ended');
}

const everything = { stream: ['0', '1', '2', '3'] };
const post = (url: string, form: URLSearchParams) =>
  browser.send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
    },
    body: form.toString(),
  });
const did = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

describe('an operation is stored completely or not at all:', () => {
  it('approving a request and returning to the app', async () => {
    const page = await browser.open(client.startUrl().url);
    const form = readForm(page.text).fields;
    for (const name of ['stream', 'field']) form.delete(name);
    form.set('decision', 'approve');
    for (const stream of everything.stream) form.append('stream', stream);
    let next = '';
    const approve = async () => {
      const answer = await post(page.url, form);
      next = answer.headers.get('location') ?? '';
      return answer.status === 303;
    };
    expect(await failEverywhere(approve)).toBeGreaterThanOrEqual(4);
    expect(await eventKinds(world)).toContain('approved');
    const goBack = async () => {
      const answer = await browser.send(next);
      return answer.status === 303 && /[?&]code=/.test(answer.headers.get('location') ?? '');
    };
    expect(await failEverywhere(goBack)).toBeGreaterThanOrEqual(2);
  });

  it('D-02 redeeming a code, which still works when its tokens could not be stored', async () => {
    const { code, verifier } = await client.approve(browser, everything);
    let tokens: Tokens | undefined;
    const written = await failEverywhere(async () => {
      const response = await client.redeem(code as string, verifier);
      if (response.status === 200) tokens = (await response.json()) as Tokens;
      else expect(response.status).toBe(500);
      return response.status === 200;
    });
    expect(written).toBeGreaterThanOrEqual(3);
    expect((await world.call(tokens?.access_token as string, 'schema')).isError).toBeUndefined();
  });

  it('D-02 rotating a refresh token, which still works when its successor could not be stored', async () => {
    const { refresh_token } = await client.connect(browser, everything);
    const written = await failEverywhere(async () => (await client.refresh(refresh_token)).status === 200);
    expect(written).toBeGreaterThanOrEqual(3);
  });

  it('an app that revokes its own access', async () => {
    const { refresh_token } = await client.connect(browser, everything);
    const body = new URLSearchParams({ client_id: client.clientId, token: refresh_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await failEverywhere(
      async () => (await world.request('/oauth/revoke', { method: 'POST', headers, body })).status === 200,
    );
  });

  it('D-02 a second use of a code, which revokes its tokens', async () => {
    const { code, verifier } = await client.approve(browser, everything);
    const tokens = (await (await client.redeem(code as string, verifier)).json()) as Tokens;
    await failEverywhere(async () => (await client.redeem(code as string, verifier)).status === 400);
    expect(await eventKinds(world)).toContain('code_replayed');
    expect((await world.rpc(tokens.access_token, 'tools/list')).status).toBe(401);
  });

  it('registering an app and deleting old registrations', async () => {
    const metadata = { client_name: 'Another', redirect_uris: ['http://127.0.0.1/cb'] };
    await failEverywhere(async () => (await register(world, metadata)).status === 201);
  });

  it('a new setup link, which ends the previous one', async () => {
    const first = await createSetupLink(world.store.write, ORIGIN, new Date());
    await failEverywhere(() => did(createSetupLink(world.store.write, ORIGIN, new Date())));
    expect((await browser.open(first)).status).toBe(410);
  });

  it('a grant and its token', async () => {
    await failEverywhere(() =>
      did(createGrant(world.store.write, { clientName: 'App', streams: [] }, new Date())),
    );
  });

  it('a newer declaration, its slot plans and the reindexed records', async () => {
    const newer = structuredClone(diarySource) as typeof diarySource & { streams: { schema: object }[] };
    Object.assign((newer.streams[0] as { schema: { properties: object } }).schema.properties, {
      mood: { type: 'string' },
    });
    const declaration = checkDeclaration({ ...newer, declaration_version: '2' });
    expect(
      await failEverywhere(() => did(installSource(world.store.write, declaration, new Date()))),
    ).toBeGreaterThanOrEqual(3);
  });

  it('a connection and its streams', async () => {
    const connection = { connection_id: 'third', connector_key: 'diary', display_name: 'Third' };
    await failEverywhere(() => did(addConnection(world.store.write, connection, new Date())));
  });

  it('a batch of records', async () => {
    const lines = [1, 2, 3].map((n) => ({ key: `k${n}`, data: { id: `k${n}`, title: 'one' } }));
    await failEverywhere(() => did(world.ingest('mine', 'entries', lines)));
  });
});

describe('two changes of one grant at once', () => {
  it('end both connections, not only the last', async () => {
    const { grantId } = await world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }]);
    const page = await browser.open(`/dashboard/apps/${grantId}`);
    const csrf = findCsrf(page);
    const answers = await Promise.all(
      ['mine', 'theirs'].map((connection_id) =>
        post(`/dashboard/apps/${grantId}/end-connection`, new URLSearchParams({ csrf, connection_id })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const ended = world.store.write.raw
      .prepare('select ended_connections from grants where grant_id = ?')
      .pluck();
    expect((JSON.parse(ended.get(grantId) as string) as string[]).sort()).toEqual(['mine', 'theirs']);
  });
});

describe('the owner', () => {
  it('sets a passphrase in one operation: the link, the passphrase, the sessions', async () => {
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    const other = createBrowser(world.request, ORIGIN);
    const page = await other.open(link);
    const passphrase = 'four words, none alike';
    await failEverywhere(
      async () => (await other.submit(page, { passphrase, again: passphrase })).status === 200,
    );
    expect((await browser.open('/dashboard')).url).toContain('/login');
    expect((await other.open('/dashboard')).url).toBe(`${ORIGIN}/dashboard`);
  });
});
