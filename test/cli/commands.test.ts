import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createAudit } from '../../src/audit/audit.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { runCli } from '../support/run-cli.ts';
import { useFolder } from '../support/temp-folder.ts';

const folder = useFolder();
const data = join(folder, 'data');

/** A command that must succeed, with its answer as JSON. */
async function json(...args: string[]) {
  const { code, out, err } = await runCli([...args, '--data', data, '--json']);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  expect(out.split('\n')).toHaveLength(2);
  return JSON.parse(out);
}

/** A command that must succeed, with the words it prints for a person. */
async function words(...args: string[]): Promise<string> {
  const { code, out, err } = await runCli([...args, '--data', data]);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  return out;
}

/** Asks the store of these commands as an app that holds the token. */
async function read(token: string, path: string) {
  const store = await openStore(data);
  const app = createApp({
    store,
    publicUrl: 'http://127.0.0.1:7733',
    hosts: new Set(['127.0.0.1:7733']),
    audit: createAudit(store.audit),
    log: () => {},
    now: () => new Date(),
    version: 'test',
  });
  const headers = { host: '127.0.0.1:7733', authorization: `Bearer ${token}` };
  const response = await app.request(path, { headers });
  const body = JSON.parse(await response.text());
  store.close();
  return { status: response.status, body };
}

const ESCAPES = '\u001b[31mred\u001b]8;;http://evil.example\u0007link\u009b2J\u202e';

beforeAll(async () => {
  const file = join(folder, 'diary.json');
  writeFileSync(file, JSON.stringify(diarySource));
  expect(await json('source', 'add', file)).toMatchObject({ connector_key: 'diary', outcome: 'new' });
  expect(await json('connection', 'add', 'diary', '--id', 'mine', '--name', `Mine ${ESCAPES}`)).toMatchObject(
    {
      connection_id: 'mine',
      outcome: 'new',
    },
  );
  const lines = [1, 2, 3].map((i) =>
    entry(`e${i}`, { title: `t${i}`, body: 'b', created_at: `2026-0${i}-01T00:00:00Z` }),
  );
  writeFileSync(join(folder, 'lines.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
});

describe('pdpp', () => {
  it('ingest stores a file, reports the result, and changes nothing the second time', async () => {
    const file = join(folder, 'lines.ndjson');
    expect(await json('ingest', 'mine', 'entries', file)).toMatchObject({ lines: 3, new: 3, refused: 0 });
    expect(await words('ingest', 'mine', 'entries', file)).toBe(
      '0 new, 0 changed, 3 same, 0 deleted, 0 refused\n',
    );
  });

  it('ingest reads stdin, names refused lines, and sets the exit code', async () => {
    const input = `${JSON.stringify(entry('piped'))}\nnot json\n`;
    const { code, out } = await runCli(['ingest', 'mine', 'entries', '--data', data], { input });
    expect(code).toBe(6);
    expect(out).toBe('1 new, 0 changed, 0 same, 0 deleted, 1 refused\nline 2 is not valid JSON\n');
    const dash = await runCli(['ingest', 'mine', 'entries', '-', '--data', data, '--json'], { input });
    expect(dash.code).toBe(6);
    expect(JSON.parse(dash.out)).toMatchObject({ same: 1, refused: 1, refusals: [{ line: 2 }] });
  });

  it('connection list counts records and prints no escape sequences', async () => {
    const text = await words('connection', 'list');
    expect(text).toMatch(/^ID +SOURCE +NAME +STREAMS\nmine +diary +Mine/);
    expect(text).toMatch(/entries [34], members 0/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const list = await json('connection', 'list');
    expect(list[0]).toMatchObject({
      connection_id: 'mine',
      connector_key: 'diary',
      display_name: `Mine ${ESCAPES}`,
    });
  });

  it('grant create prints a token once, which reads only the granted data', async () => {
    const made = await json(
      'grant',
      'create',
      '--client',
      'App',
      '--allow',
      'mine:entries:title',
      '--since',
      '2026-02-01',
      '--until',
      '2026-03-01',
      '--expires',
      '12h',
      '--purpose',
      'a test',
    );
    expect(made.streams).toEqual([
      expect.objectContaining({ connection_id: 'mine', stream: 'entries', fields: ['id', 'title'] }),
    ]);
    const hours = (Date.parse(made.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThan(12.01);
    const { status, body } = await read(made.token, '/v1/streams/entries/records');
    expect(status).toBe(200);
    expect(body.data.map((row: { record: object }) => row.record)).toEqual([{ id: 'e2', title: 't2' }]);
    expect((await read(made.token, '/v1/streams/members/records')).status).toBe(404);
    const later = await runCli(['grant', 'list', '--data', data]);
    expect(later.out).not.toContain(made.token);
  });

  it('grant create takes keys and several streams, and names streams without a time', async () => {
    const keyed = await json(
      'grant',
      'create',
      '--client',
      'App',
      '--allow',
      'mine:entries',
      '--key',
      'e1',
      '--key',
      'e3',
    );
    const { body } = await read(keyed.token, '/v1/streams/entries/records');
    expect(body.data.map((row: { record: { id: string } }) => row.record.id)).toEqual(['e3', 'e1']);
    const text = await words(
      'grant',
      'create',
      '--client',
      'App',
      '--allow',
      'mine',
      '--since',
      'last_365_days',
    );
    expect(text).toMatch(/Left out, because it has no time field: mine:members/);
    expect(text.match(/pdpp_[\w-]{43}/g)).toHaveLength(1);
    expect(text).toMatch(/pdpp grant revoke --data \S+ grant_/);
  });

  it('grant revoke ends a grant, and grant list shows it', async () => {
    const { grant_id, token } = await json('grant', 'create', '--client', 'Short-lived', '--allow', 'mine');
    expect((await read(token, '/v1/schema')).status).toBe(200);
    expect(await json('grant', 'revoke', grant_id)).toMatchObject({ grant_id, state: 'revoked' });
    const ended = await read(token, '/v1/schema');
    expect([ended.status, ended.body.error.code]).toEqual([403, 'grant_revoked']);
    const grants = await json('grant', 'list');
    expect(grants.find((one: { grant_id: string }) => one.grant_id === grant_id)).toMatchObject({
      client: 'Short-lived',
      state: 'revoked',
    });
    expect(JSON.stringify(grants)).not.toContain(token);
    expect(await words('grant', 'list')).toMatch(/Short-lived +revoked/);
  });

  it('owner token opens /v1 until owner revoke', async () => {
    const { token } = await json('owner', 'token');
    expect((await read(token, '/v1/schema')).body.data.connectors[0].connections[0].connection_id).toBe(
      'mine',
    );
    expect(await json('owner', 'revoke')).toEqual({ ended: 1 });
    expect((await read(token, '/v1/schema')).status).toBe(401);
  });

  it('L-01 logs an event for every change of access, without secrets', async () => {
    const { token, grant_id } = await json('grant', 'create', '--client', 'Noted', '--allow', 'mine');
    await json('grant', 'revoke', grant_id);
    await json('grant', 'revoke', grant_id);
    const owner = await json('owner', 'token');
    await json('owner', 'revoke');
    const { link } = await json('owner', 'reset');
    const store = await openStore(data);
    const rows = store.audit.raw
      .prepare('select kind, client, grant_id, detail from events order by id desc limit 5')
      .raw()
      .all()
      .reverse();
    store.close();
    expect(rows).toEqual([
      ['approved', 'Noted', grant_id, 'on the command line'],
      ['revoked', 'Noted', grant_id, 'on the command line'],
      ...['owner_token_issued', 'owner_tokens_ended', 'setup_link_made'].map((kind) => [
        kind,
        null,
        null,
        'on the command line',
      ]),
    ]);
    for (const secret of [token, owner.token, link.split('/').at(-1)])
      expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await runCli(['verify', '--data', data])).code).toBe(0);
  });
});
