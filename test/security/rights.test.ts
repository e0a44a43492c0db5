import { afterEach, describe, expect, it, vi } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { outcome, postForm, refreshed, statusOf } from '../support/oauth-checks.ts';
import { readAnswer, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const TYPE = 'https://pdpp.dev/data-access';
const source = { id: diarySource.source.id };
const [entries, members] = diarySource.streams;

const { world, owner, client } = await useSignedInWorld(createWorld({ clock: 'real' }));
await world.addSource(diarySource, { mine: 'My diary', theirs: 'Their diary' });
for (const connection of ['mine', 'theirs'])
  await world.ingest(connection, 'entries', [
    entry('one', {
      title: `title-${connection}`,
      body: `body-${connection}`,
      created_at: '2026-01-01T10:00:00Z',
    }),
    entry('two', { title: `second-${connection}`, body: 'second', created_at: '2026-05-01T10:00:00Z' }),
  ]);
afterEach(() => {
  vi.useRealTimers();
});

const ask = (details: unknown) => ({ authorization_details: JSON.stringify(details) });
const asking = (streams: unknown, more: object = {}) => ask([{ type: TYPE, source, streams, ...more }]);
/** What a token can see, of everything there is. */
async function readAll(token: string): Promise<string> {
  const answers = [];
  for (const connection_id of ['mine', 'theirs'])
    for (const stream of ['entries', 'members', 'more'])
      answers.push(await world.call(token, 'query_records', { stream, connection_id }));
  answers.push(await world.call(token, 'schema'), await world.call(token, 'schema', { stream: 'entries' }));
  return JSON.stringify(answers);
}

describe('requested rights', () => {
  const wrong: Record<string, unknown> = {
    'an unknown type': [{ type: 'https://pdpp.dev/other', source, streams: [{ name: 'entries' }] }],
    'no type': [{ source, streams: [{ name: 'entries' }] }],
    'the type of a prototype': [{ type: 'toString', source, streams: [{ name: 'entries' }] }],
    'no list': { type: TYPE, source, streams: [{ name: 'entries' }] },
    'a list of null': [null],
    'an unknown key': [{ type: TYPE, source, streams: [{ name: 'entries' }], admin: true }],
    'an unknown key of a stream': [{ type: TYPE, source, streams: [{ name: 'entries', write: true }] }],
    'an unknown key of the source': [{ type: TYPE, source: { ...source, all: 1 }, streams: [{ name: '*' }] }],
    'neither streams nor preset': [{ type: TYPE, source }],
    'streams and preset': [{ type: TYPE, source, streams: [{ name: 'entries' }], preset: 'titles' }],
    'no streams': [{ type: TYPE, source, streams: [] }],
    'a time that is none': [
      { type: TYPE, source, streams: [{ name: 'entries', time_range: { since: 'yesterday' } }] },
    ],
    'one stream twice': [{ type: TYPE, source, streams: [{ name: 'entries' }, { name: '*' }] }],
    'an unknown access mode': [{ type: TYPE, source, access_mode: 'forever', streams: [{ name: '*' }] }],
    'one wrong among right ones': [
      { type: TYPE, source, streams: [{ name: 'members' }] },
      { type: TYPE, source, streams: [{ name: 'entries', zzz: 1 }] },
    ],
  };
  it.each(Object.entries(wrong))(
    'A-19 with %s are refused before the owner sees them',
    async (_, details) => {
      const page = await owner.open(client.startUrl(ask(details)).url);
      expect(readAnswer(page)).toMatchObject({ error: 'invalid_authorization_details', iss: ORIGIN });
      const pushed = await postForm(world, '/oauth/par', [
        ...new URL(client.startUrl(ask(details)).url).searchParams,
      ]);
      expect(await outcome(pushed)).toEqual([400, 'invalid_authorization_details']);
    },
  );

  it.each(['{', 'null', '"x"', '[[]]', '[1]', '['.repeat(60)])(
    'A-19 that are %s are refused the same way',
    async (authorization_details) => {
      const page = await owner.open(client.startUrl({ authorization_details }).url);
      expect(readAnswer(page).error).toMatch(/^invalid_(authorization_details|request)$/);
    },
  );

  const unknown: Record<string, unknown> = {
    'an unknown source': [{ type: TYPE, source: { id: 'https://x.example' }, streams: [{ name: '*' }] }],
    'an unknown stream': [{ type: TYPE, source, streams: [{ name: 'zzz' }] }],
    'a stream of a prototype': [{ type: TYPE, source, streams: [{ name: '__proto__' }] }],
    'an unknown field': [{ type: TYPE, source, streams: [{ name: 'entries', fields: ['zzz'] }] }],
    'a field of a prototype': [
      { type: TYPE, source, streams: [{ name: 'entries', fields: ['constructor'] }] },
    ],
    'an unknown view': [{ type: TYPE, source, streams: [{ name: 'entries', view: 'zzz' }] }],
    'an unknown connection': [{ type: TYPE, source, streams: [{ name: 'entries', instance_ids: ['zzz'] }] }],
    'an unknown preset': [{ type: TYPE, source, preset: 'zzz' }],
    'a time where there is none': [
      { type: TYPE, source, streams: [{ name: 'members', time_range: { since: '2026-01-01T00:00:00Z' } }] },
    ],
  };
  it.each(Object.entries(unknown))(
    'A-19 with %s give nothing, and only the owner sees why',
    async (_, details) => {
      const pushed = await postForm(world, '/oauth/par', [
        ...new URL(client.startUrl(ask(details)).url).searchParams,
      ]);
      expect(pushed.status).toBe(201);
      const page = await owner.open(client.startUrl(ask(details)).url);
      expect(page.text).toContain('The app also asked for data that you do not have.');
      const form = { decision: 'approve', stream: ['0', '1'], window: 'all', expires: '1y' };
      const answer = await owner.submit(page, form);
      expect([answer.status, readAnswer(answer).code]).toEqual([400, undefined]);
    },
  );

  it('A-19 with a wildcard are resolved before the owner sees them, and stay resolved', async () => {
    const details = asking([{ name: '*', instance_ids: ['mine'] }]);
    const { page, code, verifier } = await client.approve(owner, {}, details);
    expect(page.text).toContain('The app asked for this data');
    expect(page.text).not.toContain('Their diary');
    const tokens = (await (await client.redeem(code as string, verifier)).json()) as Tokens;
    expect(tokens.authorization_details).toEqual([
      {
        type: TYPE,
        source,
        access_mode: 'continuous',
        streams: [
          { name: 'entries', instance_ids: ['mine'], fields: Object.keys(entries?.schema.properties ?? {}) },
          { name: 'members', instance_ids: ['mine'], fields: Object.keys(members?.schema.properties ?? {}) },
        ],
      },
    ]);
    const more = { ...members, name: 'more' };
    const grown = {
      ...entries,
      schema: { ...entries?.schema, properties: { ...entries?.schema.properties, mood: { type: 'string' } } },
    };
    await world.addSource({ ...diarySource, declaration_version: '2', streams: [grown, members, more] }, {});
    await world.ingest('mine', 'more', [{ key: 'canary/1', data: { team: 'canary', number: 1 } }]);
    await world.ingest('mine', 'entries', [
      entry(
        'one',
        { title: 'title-mine', mood: 'canary', created_at: '2026-01-01T10:00:00Z' },
        '2026-11-02T00:00:00Z',
      ),
    ]);
    const seen = await readAll(tokens.access_token);
    expect(seen).toContain('title-mine');
    expect(seen).not.toMatch(/canary|mood|title-theirs/);
    const later = await refreshed(client, tokens.refresh_token);
    expect(later.authorization_details).toEqual(tokens.authorization_details);
    expect(await readAll(later.access_token)).not.toMatch(/canary|mood|title-theirs/);
  });
});

describe('granted rights', () => {
  it('A-20 do not grow when a refresh asks for more', async () => {
    let tokens = await client.connect(owner, { stream: '0', field: [] });
    const before = await readAll(tokens.access_token);
    for (const more of [
      { scope: 'pdpp:read offline_access openid admin' },
      asking([{ name: 'entries', fields: ['body'] }]),
      { authorization_details: '{' },
      { resource: `${ORIGIN}/mcp/` },
    ]) {
      const response = await client.token({
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        ...(more as Record<string, string>),
      });
      expect(response.status).toBe(200);
      tokens = (await response.json()) as Tokens;
      expect(tokens.scope).toBe('pdpp:read');
      expect(withoutIds(await readAll(tokens.access_token))).toBe(withoutIds(before));
    }
  });

  it('A-20 do not grow when a code is redeemed with more', async () => {
    const { code, verifier } = await client.approve(owner, { stream: '0', field: [] });
    const response = await client.token({
      grant_type: 'authorization_code',
      code: code as string,
      code_verifier: verifier,
      redirect_uri: client.redirectUri,
      scope: 'pdpp:read admin',
      ...asking([{ name: 'entries', fields: ['body'] }]),
    });
    const { access_token } = (await response.json()) as Tokens;
    expect(await readAll(access_token)).not.toMatch(/body-|title-/);
  });

  it('A-20 for one use come with one access token and no refresh token', async () => {
    const details = asking([{ name: 'entries' }], { access_mode: 'single_use' });
    const { page, code, verifier } = await client.approve(owner, {}, details);
    expect(page.text).toContain('One session only');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.redeem(code as string, verifier)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);

    const tokens = await client.connect(owner, {}, details);
    expect(tokens.refresh_token).toBeUndefined();
    expect(await statusOf(world, tokens.access_token)).toBe(200);
    expect(tokens.authorization_details).toMatchObject([{ access_mode: 'single_use' }]);
    expect(await outcome(client.refresh(tokens.access_token))).toEqual([400, 'invalid_grant']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + tokens.expires_in * 1_000 + 1_000 });
    expect(await statusOf(world, tokens.access_token)).toBe(401);
  });
});

const withoutIds = (text: string) => text.replace(/req_\w+|\d{4}-\d\d-\d\dT[\d:.+Z-]+/g, '');
