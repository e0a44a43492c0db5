import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { fillGenerated } from '../../bench/generator/fill-generated.ts';
import { revokeGrant } from '../../src/grants/grant-store.ts';
import { type Browser, createBrowser, type FormChange, type Page } from '../support/browser.ts';
import { askForTools } from '../support/mcp-post.ts';
import { PASSPHRASE, setCheapPassphrase } from '../support/oauth-client.ts';
import { makeProject, type Project } from '../support/processes/project.ts';
import { type CliResult, waitForEnd, waitForText } from '../support/run-cli.ts';
import { type Listening, startListening } from '../support/servers/servers.ts';
import { createWorld, NOW, type World } from '../support/world.ts';

let world: World;
let server: Listening;
let owner: Browser;
beforeAll(async () => {
  world = await createWorld({ timeZone: 'Europe/Berlin', clock: 'real' });
  await fillGenerated(world.store.write, { records: 2_000, seed: 1, until: DEMO_END }, NOW);
  await setCheapPassphrase(world);
  server = await startListening(world);
  owner = createBrowser((path, init) => fetch(`${server.origin}${path}`, init), server.origin);
  await owner.submit(await owner.open('/login'), { passphrase: PASSPHRASE });
});
afterAll(async () => {
  await server.close();
  world.close();
});

/** What the consent page offers, all of it or the streams of one connection. */
function choose(page: Page): FormChange {
  const all = (name: string) =>
    [...page.text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map((one) => one[1] as string);
  return { decision: 'approve', stream: all('stream'), field: all('field') };
}

/** Runs `pdpp connect` while the owner decides in a browser of their own. */
async function connect(project: Project, decision: FormChange = {}): Promise<CliResult> {
  const child = project.start(['connect', server.origin, '--no-browser']);
  const ended = waitForEnd(child);
  const asked = await waitForText(child, /^ {2}http\S+$/m);
  const page = await owner.open(/^ {2}(http\S+)$/m.exec(asked)?.[1] as string);
  expect(page.text).toContain('pdpp CLI wants to read your data');
  const answered = await owner.submit(page, { ...choose(page), ...decision });
  expect(answered.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/);
  await fetch(answered.url);
  return ended;
}

function readTokens(project: Project): { access_token: string; refresh_token: string } {
  const [file] = project.connectionFiles() as [string];
  return JSON.parse(readFileSync(file, 'utf8')).tokens;
}

async function statusOf(token: string): Promise<number> {
  return askForTools({ request: (path, init) => fetch(`${server.origin}${path}`, init) }, token);
}

describe('pdpp as an app of our own server', () => {
  it('connects, reads with all five commands, and disconnects', async () => {
    const project = makeProject();
    const connected = await connect(project);
    expect(connected).toMatchObject({
      code: 0,
      out: expect.stringMatching(/It can read [\d,]+ records in \d+ streams/),
    });
    const tokens = readTokens(project);
    expect(await statusOf(tokens.access_token)).toBe(200);
    for (const token of Object.values(tokens)) expect(connected.out + connected.err).not.toContain(token);

    const [schema, query, aggregate, search] = await Promise.all([
      project.run(['schema', 'transactions', '--json']),
      project.run(['query', 'transactions', '--where', 'category=travel', '--limit', '3', '--json']),
      project.run(['aggregate', 'transactions', '--group-by', 'category', '--json']),
      project.run(['search', 'spare key', '--json']),
    ]);
    expect([schema, query, aggregate, search].map(({ code, err }) => [code, err])).toEqual(
      Array(4).fill([0, '']),
    );
    expect(JSON.parse(schema.out).data.sources).toHaveLength(1);
    expect(JSON.parse(query.out).data).toHaveLength(3);
    expect(JSON.parse(aggregate.out).data.groups.length).toBeGreaterThan(3);
    const [hit] = JSON.parse(search.out).results;
    const fetched = await project.run(['fetch', hit.id]);
    expect(fetched.out).toContain(`${server.origin}/r/${hit.id}`);

    expect(await project.run(['disconnect'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('has ended'),
    });
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect(project.connectionFiles()).toEqual([]);
  });

  it('signs in from another device', async () => {
    const project = makeProject();
    const child = project.start(['connect', server.origin, '--device']);
    const ended = waitForEnd(child);
    const asked = await waitForText(child, /enter the code:\s+http\S+\s+\S+/);
    const [, page, code] = /enter the code:\s+(http\S+)\s+(\S+)/.exec(asked) as unknown as [
      string,
      string,
      string,
    ];
    const consent = await owner.submit(await owner.open(page), { user_code: code });
    expect(consent.text).toContain('pdpp CLI wants to read your data');
    const done = await owner.submit(consent, choose(consent));
    expect(done.text).toContain('You can close this page');
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('Connected to') });
  });

  it('reads only granted data, and nothing after revocation', async () => {
    const project = makeProject();
    const { out } = await connect(project, { stream: ['0'] });
    expect(out).toMatch(/in 1 stream of 1 connection:/);
    const { access_token } = readTokens(project);
    expect(await statusOf(access_token)).toBe(200);
    const grants = await world.store.read.db.selectFrom('grants').select('grant_id').execute();
    for (const { grant_id } of grants) await revokeGrant(world.store.write, grant_id, new Date());
    expect(await statusOf(access_token)).toBe(401);
    const { code, err } = await project.run(['schema']);
    expect([code, err]).toEqual([6, `Access has ended. Run: pdpp connect ${server.origin}\n`]);
  });

  it('renews its access, also from several processes at once', async () => {
    const project = makeProject();
    await connect(project);
    const before = readTokens(project);
    project.edit((connection) => {
      connection.expires_at = '2026-01-01T00:00:00.000Z';
    });
    const results = await Promise.all(Array.from({ length: 3 }, () => project.run(['schema', '--json'])));
    expect(results.map(({ code, err }) => [code, err])).toEqual(Array(3).fill([0, '']));
    const after = readTokens(project);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect((await project.run(['schema'])).code).toBe(0);
  });

  it('stores nothing when the owner declines', async () => {
    const project = makeProject();
    const { code, err } = await connect(project, { decision: 'deny' });
    expect([code, err.trim().split('\n').at(-1)]).toEqual([6, 'The owner denied access.']);
    expect(project.connectionFiles()).toEqual([]);
  });
});
