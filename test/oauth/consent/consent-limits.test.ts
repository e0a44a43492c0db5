import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBothChannels, normalise } from '../../support/answers.ts';
import type { Browser, FormChange } from '../../support/browser.ts';
import { diary, everyCall, home, homeBoxes, put, work } from '../../support/canary-world.ts';
import { declare, declareStream, string, time } from '../../support/declare.ts';
import { postLegacy } from '../../support/mcp-post.ts';
import { createOwnerBrowser, OAuthClient } from '../../support/oauth-client.ts';
import { openStory, plainSetting, type StoryWorld } from '../../support/story-world.ts';
import type { ToolResult, World } from '../../support/world.ts';
import { readConsentForm, tick } from './consent-form.ts';

/** Sensitive by its name, as nothing else here is. */
const health = declare('health', [
  declareStream('readings', { fields: { id: string, note: string, at: time }, time: 'at' }),
]);
/** Two fields of it are sensitive by their names. */
const contacts = declare('contacts', [
  declareStream('people', {
    fields: { id: string, name: string, phone: string, email: string, met_at: time },
    time: 'met_at',
  }),
]);

const JANUARY = '2026-01-15T12:00:00Z';
const seen = [
  put(home, 'seen-1', { sent_at: JANUARY, title: 'lantern one', size: 1, box_id: 'box-1' }),
  put(home, 'seen-2', { sent_at: '2026-01-16T12:00:00Z', title: 'lantern two', size: 2, tags: ['a'] }),
  put(home, 'seen-first', { sent_at: '2026-01-01T00:00:00Z', title: 'first lantern', size: 3 }),
  put(home, 'seen-last', { sent_at: '2026-01-31T23:59:59.999Z', title: 'last lantern', size: 4 }),
];

/** Every place that the form can leave out, with something in it that says so. */
const hidden = [
  put(home, 'seen-early', { sent_at: '2025-12-31T23:59:59.999Z', title: 'lantern canary early', size: 100 }),
  put(home, 'seen-late', { sent_at: '2026-02-01T00:00:00Z', title: 'lantern canary late', size: 200 }),
  put(home, 'seen-timeless', { sent_at: 'yesterday', title: 'lantern canary timeless', size: 300 }),
  put(homeBoxes, 'box-1', { label: 'lantern canary box', notes: 'canary' }),
  put(work, 'seen-1', { sent_at: JANUARY, title: 'lantern canary work', size: 400 }),
  put(work, 'unseen-key', { sent_at: JANUARY, title: 'lantern canary work', size: 500 }),
  put(diary, 'seen-1', { day: '2026-01-15', mood: 'canary', note: 'lantern canary diary' }),
];
/** Fields of visible records that the owner leaves out. */
const hiddenFields = { body: 'canary body lantern', folder: 'canary folder', undeclared: 'canary', ref: 7 };

async function open(secrets: boolean): Promise<StoryWorld & { browser: Browser; client: OAuthClient }> {
  const plain = plainSetting('UTC');
  const third = { id: 'post_third', connector: 'post', name: 'A canary of a connection' };
  const world = await openStory(secrets ? { ...plain, connections: [...plain.connections, third] } : plain);
  await world.addSource(health, { my_health: 'Health' });
  await world.addSource(contacts, { my_contacts: 'Contacts' });
  const person = { id: 'ana', name: 'Ana lantern', met_at: JANUARY };
  await world.apply(
    seen.map((step) => ({ ...step, data: { ...step.data, ...(secrets ? hiddenFields : {}) } })),
  );
  if (secrets) {
    await world.apply(hidden);
    const note = { id: 'r1', note: 'lantern canary pulse', at: JANUARY };
    await world.ingest('my_health', 'readings', [{ key: 'r1', data: note }]);
  }
  const phone = secrets ? { phone: 'canary 555' } : {};
  await world.ingest('my_contacts', 'people', [{ key: 'ana', data: { ...person, ...phone } }]);
  return {
    ...world,
    browser: await createOwnerBrowser(world),
    client: await OAuthClient.register(world),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** January 2026 of some fields of the letters at home, and of the contacts what is ticked already. */
async function connectNarrowly({ browser, client }: Opened): Promise<string> {
  const page = await browser.open(client.startUrl().url);
  const form: FormChange = {
    ...tick(page, {
      'Post at home/letters': ['sent_at', 'title', 'size', 'box_id', 'tags'],
      'Contacts/people': 'default',
    }),
    window: 'custom',
    since: '2026-01-01',
    until: '2026-01-31',
    expires: 'never',
  };
  return (await client.connect(browser, form)).access_token;
}

const eras: [
  name: string,
  call: (world: World, token: string, tool: string, args: object) => Promise<ToolResult>,
][] = [
  ['2026', (world, token, tool, args) => world.call(token, tool, args)],
  [
    '2025',
    async (world, token, name, args) =>
      (await postLegacy(world, token, 'tools/call', { name, arguments: args })).messages[0].result,
  ],
];

/** Ids of requests and handles differ from run to run, their length does not. */
const compare = ({ structuredContent, content, isError }: ToolResult) => ({
  isError,
  answer: normalise(structuredContent),
  length: content[0]?.text.length,
});

const people = { stream: 'people' };
const readings = { stream: 'readings' };
const calls: Record<string, readonly Record<string, unknown>[]> = {
  schema: [
    ...(everyCall.schema ?? []),
    people,
    { ...people, detail: 'full' },
    readings,
    { connection_id: 'my_health' },
    { connection_id: 'post_third' },
  ],
  query_records: [
    ...(everyCall.query_records ?? []),
    { ...people, count: 'exact' },
    { ...people, fields: ['phone'] },
    { ...people, filter: { phone: 'x' } },
    { ...people, sort: 'phone' },
    { ...people, changes_since: 'beginning' },
    readings,
  ],
  aggregate: [
    ...(everyCall.aggregate ?? []),
    { ...people, group_by: ['phone'] },
    readings,
    { ...readings, interval: 'month' },
  ],
  search: [
    ...(everyCall.search ?? []),
    ...['555', 'pulse', 'late', 'connection'].map((query) => ({ query })),
    { query: 'lantern', connection_id: 'my_health' },
    { query: 'lantern', limit: 50 },
  ],
  fetch: [
    ...(everyCall.fetch ?? []),
    { id: 'my_contacts/people/ana' },
    { id: 'my_contacts/people/ana', field: 'phone' },
    { id: 'my_health/readings/r1' },
    { id: 'post_home/letters/seen-late' },
    { id: 'post_home/letters/seen-last' },
  ],
};

describe('data that the owner left out on the consent page', () => {
  let full: Opened;
  let bare: Opened;
  let token: string;
  let bareToken: string;
  beforeAll(async () => {
    [full, bare] = [await open(true), await open(false)];
    [token, bareToken] = [await connectNarrowly(full), await connectNarrowly(bare)];
  });
  afterAll(() => {
    full.close();
    bare.close();
  });

  describe.each(Object.entries(calls))('%s', (name, all) => {
    it.each(eras)('does not contain it in either channel, in protocol %s', async (_, call) => {
      for (const args of all) {
        const answer = await call(full, token, name, args);
        expectBothChannels(answer);
        // What was sent may stand in a suggestion or an echo; what is stored may not.
        expect(JSON.stringify(answer).replaceAll('canary folder', '')).not.toContain('canary');
      }
    });

    it('answers as without hidden data', async () => {
      for (const args of all) {
        const [here, there] = [await full.call(token, name, args), await bare.call(bareToken, name, args)];
        expect({ args, answer: compare(here) }).toEqual({ args, answer: compare(there) });
      }
    });
  });

  it.each([
    '/v1/schema',
    '/v1/streams',
    '/v1/streams/letters/records?connection_id=post_home&count=exact',
    '/v1/streams/people/records',
    '/v1/streams/readings/records',
    '/v1/search?query=canary',
    '/v1/search?query=lantern',
  ])('is not to be had at %s either', async (path) => {
    const response = await full.request(path, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.text()).not.toContain('canary');
  });

  it('includes ticked data up to the edges of the window', async () => {
    const { structuredContent } = await full.call(token, 'query_records', {
      stream: 'letters',
      count: 'exact',
    });
    expect(structuredContent.count).toBe(4);
    expect(structuredContent.data.map((row: { id: string }) => row.id.split('/')[2])).toEqual([
      'seen-last',
      'seen-2',
      'seen-1',
      'seen-first',
    ]);
    expect(structuredContent.data[2].record).toEqual({
      id: 'seen-1',
      sent_at: JANUARY,
      box_id: 'box-1',
      title: 'lantern one',
      size: 1,
    });
  });

  it('stays hidden after a refresh', async () => {
    const { browser, client } = full;
    const page = await browser.open(client.startUrl().url);
    const form = { ...tick(page, { 'Contacts/people': 'default' }), expires: 'never' };
    const { refresh_token } = await client.connect(browser, form);
    const { access_token } = (await (await client.refresh(refresh_token)).json()) as { access_token: string };
    for (const [name, all] of Object.entries(calls)) {
      for (const args of all) {
        const answer = JSON.stringify(await full.call(access_token, name, args));
        expect(answer.replaceAll('canary folder', '')).not.toContain('canary');
      }
    }
  });

  it('is sensitive data when the owner chooses everything else', async () => {
    const asked = await full.browser.open(full.client.startUrl().url);
    expect(readConsentForm(asked).some(({ ticked }) => ticked)).toBe(false);
    const page = await full.browser.submit(asked, { preset: 'ordinary' });
    const form = readConsentForm(page);
    const find = (name: string) => form.find(({ connection, label }) => `${connection}/${label}` === name);
    expect(find('Health/readings')?.ticked).toBe(false);
    expect(find('Contacts/people')?.ticked).toBe(true);
    const ticked = find('Contacts/people')?.fields.filter((field) => field.ticked);
    expect(ticked?.map((field) => field.name)).toEqual(['id', 'name', 'met_at']);
    const { access_token } = await full.client.connect(full.browser, { expires: 'never' });
    const schema = JSON.stringify((await full.call(access_token, 'schema')).structuredContent);
    expect(schema).toContain('people');
    expect(schema).not.toContain('readings');
    const people = JSON.stringify(
      (await full.call(access_token, 'query_records', { stream: 'people' })).structuredContent,
    );
    expect(people).toContain('Ana lantern');
    expect(people).not.toContain('555');
    expect((await full.call(access_token, 'search', { query: 'pulse' })).structuredContent.results).toEqual(
      [],
    );
  });

  it('is included when the owner chooses it', async () => {
    const page = await full.browser.open(full.client.startUrl().url);
    const form = {
      ...tick(page, { 'Contacts/people': ['name', 'phone'], 'Health/readings': 'default' }),
      expires: 'never',
    };
    const { access_token } = await full.client.connect(full.browser, form);
    const people = await full.call(access_token, 'query_records', { stream: 'people' });
    expect(JSON.stringify(people)).toContain('canary 555');
    expect(JSON.stringify(await full.call(access_token, 'search', { query: 'pulse' }))).toContain('readings');
  });
});
