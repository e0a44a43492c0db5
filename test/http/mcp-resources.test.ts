import { describe, expect, it } from 'vitest';
import { revokeGrant } from '../../src/grants/grant-store.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { mailDeclaration } from '../../src/sources/mail/mail-declaration.ts';
import { describeRead } from '../../src/views/activity/describe-read.ts';
import { toReadLine } from '../../src/views/activity/entries.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postLegacy, postModern } from '../support/mcp-post.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, NOW } from '../support/world.ts';

const world = await useWorld(createDiaryWorld());
const { uriTemplate } = (await ask('resources/templates/list')).result.resourceTemplates[0];
const origin = uriTemplate.slice(0, uriTemplate.indexOf('/r/'));
const address = (id: string) => `${origin}/r/${id}`;

async function ask(method: string, params: Record<string, unknown> = {}, token = world.mine) {
  const modern = (await postModern(world, token, method, params)).messages[0];
  const legacy = (await postLegacy(world, token, method, params)).messages[0];
  // What the eras add of their own is not looked at here.
  const { resultType: _, ttlMs: __, cacheScope: ___, _meta: ____, ...result } = modern.result ?? {};
  expect(modern.error ?? result).toEqual(legacy.error ?? legacy.result);
  return { result, error: modern.error };
}

const complete = async (
  name: string,
  value: string,
  chosen: Record<string, string> = {},
  token = world.mine,
) =>
  (
    await ask(
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name, value },
        context: { arguments: chosen },
      },
      token,
    )
  ).result.completion;

describe('records to pick in a client', () => {
  it('are listed newest first, alternating between connections', async () => {
    const { result } = await ask('resources/list', {}, world.both);
    expect(result.resources.map((one: { uri: string }) => one.uri)).toEqual(
      ['mine/entries/three', 'theirs/entries/three', 'mine/entries/two', 'theirs/entries/two']
        .concat(['mine/entries/one', 'theirs/entries/one'])
        .map(address),
    );
    expect(result.resources[0]).toMatchObject({
      title: 'mine three',
      description: 'My diary, entries',
      mimeType: 'text/markdown',
    });
  });

  it('are limited to the grant', async () => {
    const { result } = await ask('resources/list');
    expect(result.resources).toHaveLength(3);
    expect(JSON.stringify(result)).not.toContain('theirs');
  });

  it('are read under the address of their page, as its Markdown', async () => {
    const uri = address('mine/entries/one');
    const { result } = await ask('resources/read', { uri });
    expect(result.contents).toHaveLength(1);
    expect(result.contents[0]).toMatchObject({ uri, mimeType: 'text/markdown' });
    expect(result.contents[0].text).toMatch(/^# `mine one`\n/);
    expect(result.contents[0].text).toContain('marker-mine number 0');
  });

  it.each([
    ['another grant’s record', 'theirs/entries/one'],
    ['a record that is not there', 'mine/entries/four'],
    ['a stream that is not there', 'mine/letters/one'],
    ['no record at all', 'mine'],
  ])('say the same of %s', async (_, id) => {
    const uri = address(id);
    const { error } = await ask('resources/read', { uri });
    expect(error).toEqual({ code: -32602, message: 'There is no such record.', data: { uri } });
  });

  it.each(['file:///etc/passwd', 'https://elsewhere.example/r/mine/entries/one', ''])(
    'are not %s',
    async (uri) => {
      expect((await postLegacy(world, world.mine, 'resources/read', { uri })).messages[0].error.code).toBe(
        -32602,
      );
    },
  );

  it('are recorded in the audit as reads', async () => {
    const before = await world.store.audit.listReads({}, { order: 'oldest' });
    await postLegacy(world, world.mine, 'resources/read', { uri: address('mine/entries/two') });
    const after = await world.store.audit.listReads({}, { order: 'oldest' });
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ tool: 'fetch', surface: 'mcp', records: 1, outcome: 'ok' });
  });
});

describe('the list of records to pick from', () => {
  it('is distinguished from reading in the audit', async () => {
    await postLegacy(world, world.both, 'resources/list');
    const rows = await world.store.audit.listReads({}, { order: 'oldest' });
    expect(rows.at(-1)).toMatchObject({ tool: 'query_records', way: 'titles to pick from', outcome: 'ok' });
    const [row] = rows.slice(-1);
    const told = row && describeRead(toReadLine(row), await loadCatalog(world.store.read));
    expect(told?.did).toMatch(/^listed \d+ titles to pick from$/);
  });
});

describe('the address of a record', () => {
  it('is completed by connection, id or name', async () => {
    expect(await complete('connection', '', {}, world.both)).toEqual({
      values: ['mine', 'theirs'],
      hasMore: false,
    });
    expect((await complete('connection', 'their d', {}, world.both)).values).toEqual(['theirs']);
    expect((await complete('connection', 'thei')).values).toEqual([]);
  });

  it('is completed by stream and by key, of what is granted', async () => {
    expect((await complete('stream', 'e', { connection: 'mine' })).values).toEqual(['entries']);
    const chosen = { connection: 'mine', stream: 'entries' };
    expect((await complete('key', 't', chosen)).values).toEqual(['three', 'two']);
    expect((await complete('key', '', { ...chosen, stream: 'members' })).values).toEqual([]);
    expect((await complete('key', '', { ...chosen, connection: 'theirs' })).values).toEqual([]);
  });

  it.each([
    ['a part it does not have', { name: 'field', value: '' }, uriTemplate],
    ['another template', { name: 'key', value: '' }, 'file:///{key}'],
  ])('has nothing to complete for %s', async (_, argument, uri) => {
    const { error } = await ask('completion/complete', { ref: { type: 'ref/resource', uri }, argument });
    expect(error.code).toBe(-32602);
  });
});

describe('a long record', async () => {
  const long = await useWorld(createWorld());
  await long.addSource(diarySource, { d: 'Diary' });
  const text = (letter: string) => `${letter.repeat(60)} `.repeat(2_000);
  await long.ingest('d', 'entries', [
    entry('long', { title: 'Long', body: text('x'), created_at: '2026-01-01T10:00:00Z' }),
    entry('.', { title: 'Dot', body: '```` not the end of a fence', created_at: '2026-01-01T10:00:00Z' }),
  ]);
  const { token } = await long.grant([{ connection_id: 'd' }]);
  const read = async (id: string) =>
    (await postLegacy(long, token, 'resources/read', { uri: address(id) })).messages[0].result.contents[0]
      .text as string;

  it('is shortened to the size of a result, and explains how to read the rest', async () => {
    const markdown = await read('d/entries/long');
    expect(Buffer.byteLength(markdown)).toBeLessThan(19_000);
    expect(markdown).toMatch(/of 122000 characters; the tool fetch reads the rest/);
  });

  it('with very many runs of backticks can be read', async () => {
    await long.ingest('d', 'entries', [
      entry('ticks', { title: 'Ticks', body: '` '.repeat(130_000), created_at: '2026-01-01T10:00:00Z' }),
    ]);
    expect(Buffer.byteLength(await read('d/entries/ticks'))).toBeLessThan(19_000);
  });

  it('with a very long author name is shortened too', async () => {
    const mail = await useWorld(createWorld());
    await mail.addSource(mailDeclaration, { m: 'Mail' });
    const who = 'Ana '.repeat(500_000);
    await mail.ingest('m', 'threads', [{ key: 't', data: { id: 't', subject: 'Hi' } }]);
    await mail.ingest('m', 'messages', [
      {
        key: 'e',
        data: { id: 'e', thread_id: 't', from_name: who, subject: who, body: 'Hi', attachment_names: [who] },
      },
    ]);
    const granted = await mail.grant([{ connection_id: 'm' }]);
    for (const id of ['m/messages/e', 'm/threads/t']) {
      const answer = await postLegacy(mail, granted.token, 'resources/read', { uri: address(id) });
      expect(Buffer.byteLength(answer.messages[0].result.contents[0].text)).toBeLessThan(19_000);
    }
  });

  it('whose key is a path segment such as .. has a working address', async () => {
    const listed = await postLegacy(long, token, 'resources/list');
    const uris = listed.messages[0].result.resources.map((one: { uri: string }) => one.uri);
    expect(uris).toContain(address('d/entries/~.'));
    expect(await read('d/entries/~.')).toContain('not the end of a fence');
  });
});

describe('the chart', () => {
  const uri = 'ui://pdpp/chart';

  it('is the same page for every caller, in both protocol versions, and not a read of data', async () => {
    const before = await world.store.audit.listReads({}, { order: 'oldest' });
    const pages = [
      (await ask('resources/read', { uri })).result,
      (await ask('resources/read', { uri }, world.both)).result,
    ];
    expect(pages[0]).toEqual(pages[1]);
    expect(pages[0].contents).toEqual([
      {
        uri,
        mimeType: 'text/html;profile=mcp-app',
        text: expect.stringMatching(/^<!doctype html>/),
        _meta: {
          ui: {
            csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
            prefersBorder: true,
          },
        },
      },
    ]);
    expect(await world.store.audit.listReads({}, { order: 'oldest' })).toHaveLength(before.length);
  });

  it('is not among the records to pick from', async () => {
    expect(JSON.stringify((await ask('resources/list')).result)).not.toContain('ui://');
    expect(JSON.stringify((await ask('resources/templates/list')).result)).not.toContain('ui://');
  });

  it.each(['ui://pdpp/chart/', 'ui://pdpp/other', 'UI://PDPP/CHART'])('is not %s', async (other) => {
    expect((await ask('resources/read', { uri: other })).error.code).toBe(-32602);
  });

  it('needs live access', async () => {
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }]);
    const read = () => postLegacy(world, token, 'resources/read', { uri });
    expect((await read()).messages[0].result.contents).toHaveLength(1);
    await revokeGrant(world.store.write, grantId, NOW);
    expect((await read()).status).toBe(401);
  });

  it('counts against the rate limit', async () => {
    const callRule = { callsPerMinute: 12, workSecondsPerMinute: 0 };
    const limited = await createDiaryWorld({ callRule });
    try {
      const read = () => postLegacy(limited, limited.mine, 'resources/read', { uri });
      const answers = [await read(), await read(), await read(), await read()];
      expect(answers.map(({ status }) => status)).toContain(429);
    } finally {
      limited.close();
    }
  });
});
