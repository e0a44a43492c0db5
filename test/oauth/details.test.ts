import { describe, expect, it } from 'vitest';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { readRefusal, readAnswer as readResult } from '../support/answers.ts';
import type { FormChange } from '../support/browser.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { readAnswer } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const TYPE = 'https://pdpp.dev/data-access';
const SOURCE = diarySource.source.id;
const [entries, members] = diarySource.streams;
const source = {
  ...diarySource,
  streams: [{ ...entries, views: [{ id: 'titles', label: 'Titles', fields: ['id', 'title'] }] }, members],
  selection_presets: [
    { id: 'short', label: 'Titles only', streams: [{ name: 'entries', view: 'titles' }] },
    { id: 'teams', label: 'Teams', streams: [{ name: 'members', fields: ['name'] }] },
  ],
};

const { world, owner: browser, client } = await useSignedInWorld(createWorld({ clock: 'real' }));
await world.addSource(source, { mine: 'My diary', theirs: 'Their diary' });
for (const connection of ['mine', 'theirs']) {
  const lines = ['one', 'two', 'three'].map((id, i) =>
    entry(id, {
      title: `${connection} ${id}`,
      body: `${connection} body`,
      created_at: `2026-0${i + 1}-15T10:00:00Z`,
    }),
  );
  await world.ingest(connection, 'entries', lines);
  const data = { team: 'red', number: 1, name: connection };
  await world.ingest(connection, 'members', [{ key: '["red","1"]', data }]);
}

const ask = (...streams: object[]) => [{ type: TYPE, source: { id: SOURCE }, streams }];
const asParameter = (details: unknown) => ({ authorization_details: JSON.stringify(details) });
const connect = (details: unknown, form: FormChange = {}) =>
  client.connect(browser, form, asParameter(details));
const grantedStreams = (answer: { authorization_details?: unknown[] }) =>
  (answer.authorization_details as { streams: Record<string, unknown>[] }[]).flatMap((one) => one.streams);
const readTitles = async (token: string, args: object = {}) => {
  const answer = readResult(await world.call(token, 'query_records', { stream: 'entries', ...args }));
  return answer.data.map((row: { record: { title?: string } }) => row.record.title ?? null);
};

describe('authorization_details', () => {
  it('are shown as requested, and the token response repeats the granted ones', async () => {
    const details = ask({
      name: 'entries',
      fields: ['title', 'created_at'],
      instance_ids: ['mine'],
      time_range: { since: '2026-02-01T00:00:00Z', until: '2026-03-01T00:00:00Z' },
    });
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    expect(page.text).toContain('You can remove items but not add any.');
    expect(page.text).toContain('My diary');
    expect(page.text).not.toContain('Their diary');
    expect(page.text).not.toContain('members');
    const tokens = await connect(details);
    expect(tokens.authorization_details).toEqual([
      {
        type: TYPE,
        source: { id: SOURCE },
        access_mode: 'continuous',
        streams: [
          {
            name: 'entries',
            instance_ids: ['mine'],
            fields: ['id', 'title', 'created_at'],
            time_range: { since: '2026-02-01T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' },
          },
        ],
      },
    ]);
    expect(await readTitles(tokens.access_token)).toEqual(['mine two']);
    expect(
      readRefusal(await world.call(tokens.access_token, 'query_records', { stream: 'members' })).code,
    ).toBe('unknown_stream');
  });

  it('are narrowed by the choice of the owner', async () => {
    const details = ask({ name: 'entries', fields: ['title', 'body', 'created_at'] }, { name: 'members' });
    const tokens = await connect(details, {
      stream: ['0'],
      field: ['0.title', '0.created_at'],
      window: 'custom',
      since: '2026-03-01',
    });
    expect(grantedStreams(tokens)).toEqual([
      {
        name: 'entries',
        instance_ids: ['mine'],
        fields: ['id', 'title', 'created_at'],
        time_range: { since: '2026-03-01T00:00:00.000Z' },
      },
    ]);
    expect(await readTitles(tokens.access_token)).toEqual(['mine three']);
  });

  it('with a period that does not overlap the owner’s are refused with a message', async () => {
    const details = ask({ name: 'entries', time_range: { until: '2026-02-01T00:00:00Z' } });
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    const form = { decision: 'approve', window: 'custom', since: '2026-03-01' };
    const answer = await browser.submit(page, form);
    expect([answer.status, readAnswer(answer).code]).toEqual([400, undefined]);
    expect(answer.text).toContain('role="alert"');
  });

  it('are not widened by any form', async () => {
    const details = ask({
      name: 'entries',
      fields: ['title'],
      instance_ids: ['mine'],
      time_range: { since: '2026-02-01T00:00:00Z' },
    });
    const tokens = await connect(details, {
      stream: ['0', '1', '2', '3', '-1', '0.5'],
      field: ['0.id', '0.title', '0.body', '0.created_at', '0.9', '1.name', '2.title', 'title', '.title'],
      window: 'custom',
      since: '2020-01-01',
    });
    expect(grantedStreams(tokens)).toEqual([
      {
        name: 'entries',
        instance_ids: ['mine'],
        fields: ['id', 'title'],
        time_range: { since: '2026-02-01T00:00:00.000Z' },
      },
    ]);
    expect((await readTitles(tokens.access_token)).sort()).toEqual(['mine three', 'mine two']);
  });

  it('limit the access to the records they name', async () => {
    const tokens = await connect(
      ask({ name: 'entries', resources: ['one', 'three'], instance_ids: ['theirs'] }),
    );
    expect(grantedStreams(tokens)[0]).toMatchObject({
      resources: ['one', 'three'],
      instance_ids: ['theirs'],
    });
    expect((await readTitles(tokens.access_token)).sort()).toEqual(['theirs one', 'theirs three']);
  });

  it('resolve a wildcard to the data at the time of approval', async () => {
    const tokens = await connect(ask({ name: '*' }));
    const before = grantedStreams(tokens).map(({ name, instance_ids }) => `${instance_ids}/${name}`);
    expect(before.sort()).toEqual(['mine/entries', 'mine/members', 'theirs/entries', 'theirs/members']);
    await addConnection(
      world.store.write,
      { connection_id: 'later', connector_key: 'diary', display_name: 'Later diary' },
      new Date(),
    );
    await world.ingest('later', 'entries', [entry('one', { title: 'later one' })]);
    const schema = readResult(await world.call(tokens.access_token, 'schema'));
    expect(JSON.stringify(schema)).not.toContain('later');
    const again = (await (await client.refresh(tokens.refresh_token)).json()) as typeof tokens;
    expect(grantedStreams(again)).toEqual(grantedStreams(tokens));
  });

  it('may name a preset or a view of the source', async () => {
    const preset = await connect([{ type: TYPE, source: { id: SOURCE }, preset: 'short' }]);
    for (const one of grantedStreams(preset))
      expect(one).toMatchObject({ name: 'entries', fields: ['id', 'title'] });
    const view = await connect(ask({ name: 'entries', view: 'titles', instance_ids: ['mine'] }));
    expect(grantedStreams(view)).toEqual([
      { name: 'entries', instance_ids: ['mine'], fields: ['id', 'title'] },
    ]);
  });

  it('show the purpose as a text of the app', async () => {
    const [detail] = ask({ name: 'members' });
    const details = [{ ...detail, purpose_description: '<b>Trust</b> me' }];
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    expect(page.text).toContain('Purpose stated by the app: <q>&lt;b&gt;Trust&lt;/b&gt; me</q>');
  });

  it('for one use give no refresh token', async () => {
    const [detail] = ask({ name: 'entries', instance_ids: ['mine'] });
    const details = [{ ...detail, access_mode: 'single_use' }];
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    expect(page.text).toContain('One session only');
    const tokens = await connect(details);
    expect(Object.keys(tokens)).not.toContain('refresh_token');
    expect(tokens.authorization_details).toMatchObject([{ access_mode: 'single_use' }]);
    expect((await readTitles(tokens.access_token)).length).toBe(3);
  });

  it('are returned on refresh as granted, whatever the refresh requests', async () => {
    const tokens = await connect(ask({ name: 'entries', fields: ['title'], instance_ids: ['mine'] }));
    const response = await client.token({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      authorization_details: JSON.stringify(ask({ name: '*' })),
    });
    const again = (await response.json()) as typeof tokens;
    expect(again.authorization_details).toEqual(tokens.authorization_details);
    expect(await readTitles(again.access_token)).toEqual(await readTitles(tokens.access_token));
  });

  it('are shown to the owner who introspects the token', async () => {
    const tokens = await connect(ask({ name: 'members', instance_ids: ['mine'] }));
    const response = await world.request('/oauth/introspect', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await world.ownerToken()}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token: tokens.access_token }).toString(),
    });
    expect(await response.json()).toMatchObject({
      active: true,
      client_id: client.clientId,
      authorization_details: tokens.authorization_details,
    });
  });

  it('are absent from the response when none were requested, also for an empty list', async () => {
    for (const change of [{}, asParameter([])]) {
      const tokens = await client.connect(browser, { stream: ['0'] }, change);
      expect(Object.keys(tokens)).not.toContain('authorization_details');
    }
  });

  const one = { name: 'entries' };
  const unknown: [what: string, name: string, details: unknown][] = [
    ['source', 'https://x.example', [{ type: TYPE, source: { id: 'https://x.example' }, streams: [one] }]],
    ['stream', 'secrets', ask({ name: 'secrets' })],
    ['field', 'entries.secret', ask({ name: 'entries', fields: ['secret'], instance_ids: ['mine'] })],
    ['view', 'entries.secret', ask({ name: 'entries', view: 'secret', instance_ids: ['mine'] })],
    ['connection', 'secret', ask({ name: 'entries', instance_ids: ['secret'] })],
    ['preset', 'secret', [{ type: TYPE, source: { id: SOURCE }, preset: 'secret' }]],
    [
      'times of',
      'members',
      ask({ name: 'members', time_range: { since: '2026-01-01T00:00:00Z' }, instance_ids: ['mine'] }),
    ],
  ];
  it.each(unknown)('with an unknown %s are reported to the owner only', async (what, name, details) => {
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('The app also asked for data that you do not have.');
    expect(page.text).toContain(`<li>${what} <span class="mono">${name}</span></li>`);
    expect(page.text).not.toContain('name="stream"');
    const forced = await browser.submit(page, {
      decision: 'approve',
      stream: ['0'],
      window: 'all',
      expires: '1d',
    });
    expect([forced.status, readAnswer(forced).code]).toEqual([400, undefined]);
    const denied = readAnswer(await browser.submit(page, { decision: 'deny' }));
    expect([denied.error, denied.code]).toEqual(['access_denied', undefined]);
  });

  it('that are partly unknown grant the rest, and the token response names it', async () => {
    const details = [
      ...ask(
        { name: 'entries', fields: ['title', 'secret'], instance_ids: ['mine', 'nobody'] },
        { name: 'secrets' },
      ),
      { type: TYPE, source: { id: 'https://x.example' }, streams: [one] },
    ];
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    const missing = [...page.text.matchAll(/<li>(\S+) <span class="mono">([^<]*)</g)];
    expect(missing.map(([, what, name]) => `${what} ${name}`)).toEqual([
      'connection nobody',
      'field entries.secret',
      'stream secrets',
      'source https://x.example',
    ]);
    const tokens = await connect(details);
    expect(tokens.authorization_details).toEqual([
      {
        type: TYPE,
        source: { id: SOURCE },
        access_mode: 'continuous',
        streams: [{ name: 'entries', instance_ids: ['mine'], fields: ['id', 'title'] }],
      },
    ]);
  });

  it('with a preset beside a stream it holds keep to the first of the two', async () => {
    const [detail] = ask({ name: 'entries', instance_ids: ['mine'] });
    const details = [{ type: TYPE, source: { id: SOURCE }, preset: 'short' }, detail];
    const page = await browser.open(client.startUrl(asParameter(details)).url);
    expect(page.text).toContain('<li>more of <span class="mono">entries</span></li>');
    for (const stream of grantedStreams(await connect(details)))
      expect(stream).toMatchObject({ name: 'entries', fields: ['id', 'title'] });
  });

  it('with unknown names show them as plain text, cut to a length', async () => {
    const names = Array.from({ length: 30 }, (_, i) => ({ name: `<b>\u202e${i}</b>` }));
    const page = await browser.open(client.startUrl(asParameter(ask(...names))).url);
    expect(page.text).toContain('<span class="mono">&lt;b&gt;19&lt;/b&gt;</span>');
    expect(page.text).toContain('<li>and 10 more</li>');
    expect(page.text).not.toMatch(/\u202e|<b>2/);
  });

  const refused: [name: string, details: unknown][] = [
    ['another type', [{ type: 'payment', source: { id: SOURCE }, streams: [one] }]],
    ['a stream named twice', ask(one, one)],
    ['a stream named twice by a wildcard', ask(one, { name: '*' })],
    ['a stream named twice in two details', [...ask(one), ...ask({ ...one, instance_ids: ['mine'] })]],
    ['a stream named twice that is not there', ask({ name: 'zzz' }, { name: 'zzz' })],
    ['more of them than anybody reads', Array.from({ length: 51 }, (_, i) => ask({ name: `s${i}` })[0])],
    ['a time that is none', ask({ name: 'entries', time_range: { since: 'yesterday' } })],
    ['a member that means nothing', ask({ name: 'entries', filter: {} })],
    ['no streams', ask()],
    ['streams and a preset', [{ type: TYPE, source: { id: SOURCE }, streams: [one], preset: 'short' }]],
    ['no source', [{ type: TYPE, streams: [one] }]],
    ['an object', { type: TYPE }],
    ['a string', 'x'],
    ['null', null],
    ['a number among them', [1]],
  ];
  it.each(refused)('with %s return invalid_authorization_details with iss and state', async (_, details) => {
    const { url, state } = client.startUrl(asParameter(details));
    const page = await browser.open(url);
    expect(readAnswer(page)).toEqual({
      code: undefined,
      error: 'invalid_authorization_details',
      iss: ORIGIN,
      returnedState: state,
    });
  });
});
