import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { declare, declareStream, string } from '../support/declare.ts';
import { diarySource } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { OAuthClient, readAnswer, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const ID = 'https://doc.example/client.json';
let document: Record<string, unknown>;
let isDown = false;

const published = () => new OAuthClient(world, ID, 'https://doc.example/cb');
const { world, owner, client } = await useSignedInWorld(
  createDiaryWorld({
    clock: 'real',
    fetchDocument: async () => {
      if (isDown) throw new Error('down');
      return Response.json(document);
    },
  }),
);
afterEach(() => {
  vi.useRealTimers();
  isDown = false;
});

const publish = (change: Record<string, unknown> = {}) => {
  document = {
    client_id: ID,
    client_name: 'Doc',
    redirect_uris: ['https://doc.example/cb'],
    token_endpoint_auth_method: 'none',
    ...change,
  };
};
/** Long enough that a document is fetched anew. */
const waitForCache = () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
};
const approval = { decision: 'approve', stream: ['0', '1'] };

describe('consent', () => {
  it('A-06 is requested every time, for any earlier approval and any prompt', async () => {
    await client.connect(owner, { stream: ['0', '1'] });
    for (const prompt of [undefined, 'consent', 'login', 'none', 'select_account']) {
      const page = await owner.open(client.startUrl({ prompt }).url);
      expect(readAnswer(page).code).toBeUndefined();
      if (prompt === 'none') expect(readAnswer(page).error).toBe('consent_required');
      else expect(page.text).toContain('wants to read your data');
    }
  });

  it('A-06 needs the digest of its page: otherwise the page is shown again', async () => {
    const page = await owner.open(client.startUrl().url);
    const other = await owner.open((await OAuthClient.register(world)).startUrl().url);
    const digest = /name="digest" value="([^"]+)"/.exec(other.text)?.[1] as string;
    for (const change of [{ digest: null }, { digest: '' }, { digest: 'x' }, { digest }]) {
      const again = await owner.submit(page, { ...approval, ...change });
      expect(again.status).toBe(409);
      expect(again.text).toContain('Something changed since you opened this page');
      expect(again.url).not.toContain('code=');
    }
    expect(readAnswer(await owner.submit(page, approval)).code).toBeDefined();
    expect((await owner.submit(page, approval)).status).toBe(410);
  });

  it('A-06 is void when the offer has changed: a connection, its name, a field', async () => {
    const stars = declareStream('stars', { fields: { id: string } });
    const changes = [
      () => world.addSource(declare('sky', [stars]), { sky: 'My sky' }),
      () => world.addSource(declare('sky', [stars]), { sky: 'Their sky' }),
      () => {
        const fields = { id: string, place: string };
        return world.addSource(
          { ...(declare('sky', [declareStream('stars', { fields })]) as object), declaration_version: '2' },
          {},
        );
      },
    ];
    for (const change of changes) {
      const page = await owner.open(client.startUrl().url);
      await change();
      const again = await owner.submit(page, approval);
      expect(again.status).toBe(409);
      expect(again.text).toMatch(/sky/);
      expect(readAnswer(await owner.submit(again, approval)).code).toBeDefined();
    }
  });

  it('A-06 is void when the client document has changed, and the new page shows the change', async () => {
    publish();
    const page = await owner.open(published().startUrl().url);
    expect(page.text).toContain('Doc wants to read your data');
    publish({ client_name: 'Doctor' });
    waitForCache();
    const again = await owner.submit(page, approval);
    expect(again.status).toBe(409);
    expect(again.text).toContain('Doctor wants to read your data');
    expect(readAnswer(await owner.submit(again, approval)).code).toBeDefined();
  });

  it('A-06 is refused while the client document is unreachable, without an internal error', async () => {
    publish();
    const page = await owner.open(published().startUrl().url);
    isDown = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
    const answer = await owner.submit(page, approval);
    expect(answer.status).toBe(410);
    expect(answer.url).not.toContain('code=');
  });

  it('A-06 belongs to the browser that started the request', async () => {
    const stranger = createBrowser(world.request, ORIGIN);
    const start = await stranger.send(client.startUrl().url);
    const path = start.headers.get('location') as string;
    expect(path).toMatch(/^\/oauth\/consent\//);
    // The owner opens a link that somebody else's browser was given.
    expect((await owner.open(path)).status).toBe(410);
    // Somebody else's browser is not the owner's.
    expect((await stranger.open(path)).url).toContain('/login?return_to=');
    // And a request that began here is not the one whose address is in the form.
    const mine = await owner.open(client.startUrl().url);
    const moved = { ...mine, text: mine.text.replace(/\/oauth\/consent\/[\w-]+/, path) };
    expect((await owner.submit(moved, approval)).status).toBe(410);
  });

  it('A-06 covers only the ticked data', async () => {
    const page = await owner.open(client.startUrl().url);
    for (const stream of [['99'], ['-1'], ['0.5'], ['__proto__'], []]) {
      const again = await owner.submit(page, { decision: 'approve', stream });
      expect([stream, again.status]).toEqual([stream, 400]);
    }
    for (const change of [
      { expires: 'forever' },
      { expires: '0d' },
      { window: 'custom', since: 'yesterday' },
      { window: 'custom', since: '2026-02-01', until: '2026-01-01' },
      { window: '__proto__' },
    ])
      expect((await owner.submit(page, { ...approval, ...change })).status).toBe(400);
    const { code, verifier } = await client.approve(owner, { stream: '0', field: [] });
    const { access_token } = (await (await client.redeem(code as string, verifier)).json()) as Tokens;
    const read = await world.call(access_token, 'query_records', { stream: 'entries' });
    expect(read.structuredContent.data).toHaveLength(3);
    expect(JSON.stringify(read)).not.toMatch(/marker|mine one|2026-01-01T10/);
  });
});

describe('the consent page', () => {
  const titleOf = (html: string) => /<h1>([\s\S]*?)<\/h1>/.exec(html)?.[1];
  const names: [sent: string, shown: string][] = [
    ['Claude\u202E', 'Claude'],
    ['<b>Claude</b>', '&lt;b&gt;Claude&lt;/b&gt;'],
    ['"><script>alert(1)</script>', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    [`Claude${'e'.repeat(10_000)}`, `Claude${'e'.repeat(54)}`],
    ['\u0421laude', '\u0421laude'],
    ['Cl\u200bau\u00adde\u{e0041}\u2066', 'Claude'],
    ['Claude\r\n\tSet-Cookie: x\0', 'Claude Set-Cookie: x'],
    ['Claude\u2028(verified)', 'Claude (verified)'],
    ['\u202e\u0007', 'Unnamed app'],
    ['C\ufe0fl\u3164a\u{e0101}u\u2800d\u034fe', 'Claude'],
    ['\u3164\u115f\u2800', 'Unnamed app'],
  ];
  it.each(names)('A-13 shows the name %j as unverified plain text', async (sent, shown) => {
    const named = await OAuthClient.register(world, { client_name: sent });
    const page = await owner.open(named.startUrl().url);
    expect(titleOf(page.text)).toBe(`${shown} wants to read your data`);
    expect(page.text).toContain('not verified');
    expect(page.text).toMatch(/goes to <b class="mono">127\.0\.0\.1:5555<\/b>/);
    expect(page.text).toContain('Any program on this computer can use this name');
    expect(page.text).not.toMatch(/(?!\n)\p{C}|\p{Default_Ignorable_Code_Point}|\u2800|<script>alert/u);
  });

  it('A-13 shows the publishing host and the redirect host, and no logo', async () => {
    waitForCache();
    publish({
      client_name: `Claude\u202e ${'x'.repeat(2_000)}`,
      logo_uri: 'https://doc.example/logo.png',
      client_uri: 'https://claude.ai',
    });
    const page = await owner.open(published().startUrl().url);
    expect(titleOf(page.text)).toBe(`Claude ${'x'.repeat(53)} wants to read your data`);
    expect(page.text).toContain('verified: doc.example');
    expect(page.text).toMatch(/goes to <b class="mono">doc\.example<\/b>/);
    expect(page.text).not.toMatch(/logo|claude\.ai/);
    const sources = [...page.text.matchAll(/\b(?:src|href|action|srcset|poster|data)="([^"]*)"/g)];
    expect(sources.length).toBeGreaterThan(3);
    for (const [, target] of sources) expect(target).toMatch(/^(\/(?!\/)|#)/);
  });

  it('A-13 shows the purpose of a client as plain text', async () => {
    const details = [
      {
        type: 'https://pdpp.dev/data-access',
        source: { id: diarySource.source.id },
        purpose_description: 'To help\u202e <b>you</b>\r\n\u2066and\0 me',
        streams: [{ name: 'entries' }],
      },
    ];
    const page = await owner.open(client.startUrl({ authorization_details: JSON.stringify(details) }).url);
    expect(page.text).toContain('<q>To help &lt;b&gt;you&lt;/b&gt; and me</q>');
  });
});
