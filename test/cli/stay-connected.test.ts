import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from '../support/processes/project.ts';
import { useTinyServer } from '../support/servers/use-tiny-server.ts';

const at = useTinyServer();

async function connect(): Promise<Project> {
  const project = makeProject();
  await project.connect(at.server.origin);
  at.server.requests.length = 0;
  return project;
}

const refreshes = () =>
  at.server.requests.filter((request) => request === 'POST /token refresh_token').length;
const read = ['aggregate', 'entries', '--json'];
const answer = { data: { metric: 'count', total: 3 } };

/** The access token as it is after its time. */
function expire(project: Project): void {
  project.edit((connection) => {
    connection.expires_at = '2026-01-01T00:00:00.000Z';
  });
}

describe('a stored access', () => {
  it('is used unchanged until it expires', async () => {
    const project = await connect();
    const { code, out } = await project.run(read);
    expect([code, JSON.parse(out)]).toMatchObject([0, answer]);
    expect(at.server.requests.every((request) => request === 'POST /mcp')).toBe(true);
  });

  it('is renewed before it expires, and its file stays private', async () => {
    const project = await connect();
    const [file] = project.connectionFiles() as [string];
    const before = readFileSync(file, 'utf8');
    expire(project);
    const { code, out, err } = await project.run(read);
    expect([code, JSON.parse(out), err]).toMatchObject([0, answer, '']);
    expect(refreshes()).toBe(1);
    const after = readFileSync(file, 'utf8');
    expect(after).not.toBe(before);
    expect(Date.parse(JSON.parse(after).expires_at)).toBeGreaterThan(Date.now());
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect((await project.run(read)).code).toBe(0);
    expect(refreshes()).toBe(1);
  });

  it('is renewed when the server refuses it', async () => {
    const project = await connect();
    project.edit((connection) => {
      connection.tokens.access_token = 'pdpp_forgotten';
    });
    const { code, out, err } = await project.run(read);
    expect([code, JSON.parse(out), err]).toMatchObject([0, answer, '']);
    expect(refreshes()).toBe(1);
  });

  it('is renewed once by several processes at the same moment', async () => {
    const project = await connect();
    expire(project);
    at.server.manners.slowRefreshMs = 400;
    const results = await Promise.all(Array.from({ length: 5 }, () => project.run(read)));
    expect(results.map(({ code, err }) => [code, err])).toEqual(Array(5).fill([0, '']));
    expect(refreshes()).toBe(1);
  });

  it('is renewed although a process died while it renewed', async () => {
    const project = await connect();
    expire(project);
    const [file] = project.connectionFiles() as [string];
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(`${file}.lock`, String(dead), { mode: 0o600 });
    expect((await project.run(read)).code).toBe(0);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('that has ended is reported with the command that renews it and exit code 6', async () => {
    const project = await connect();
    expire(project);
    at.server.manners.refuseRefresh = true;
    const { code, out, err } = await project.run(read);
    expect([code, out, err]).toEqual([6, '', `Access has ended. Run: pdpp connect ${at.server.origin}\n`]);
  });

  it('without a refresh token ends with its access token', async () => {
    const project = await connect();
    project.edit((connection) => {
      delete connection.tokens.refresh_token;
      connection.tokens.access_token = 'pdpp_gone';
    });
    const { code, err } = await project.run(read);
    expect([code, err]).toEqual([6, `Access has ended. Run: pdpp connect ${at.server.origin}\n`]);
    expect(refreshes()).toBe(0);
  });

  it('sends its refresh token only to its issuer', async () => {
    const project = await connect();
    expire(project);
    project.edit((connection) => {
      connection.issuer = 'https://first.example';
    });
    const { code, err } = await project.run(read);
    expect([code, err]).toEqual([6, `Access has ended. Run: pdpp connect ${at.server.origin}\n`]);
    expect(refreshes()).toBe(0);
  });

  it('is unchanged while the server cannot be reached', async () => {
    const project = await connect();
    project.edit((connection) => {
      connection.server = 'http://127.0.0.1:9/mcp';
    });
    const { code, err } = await project.run(read);
    expect([code, err]).toEqual([5, expect.stringContaining('Cannot reach')]);
    expect(project.connectionFiles()).toHaveLength(1);
  });
});

describe('pdpp disconnect', () => {
  it('revokes the access at the server and deletes it', async () => {
    const project = await connect();
    const [file] = project.connectionFiles() as [string];
    const { tokens } = JSON.parse(readFileSync(file, 'utf8'));
    expect((await at.world.rpc(tokens.access_token, 'tools/list')).status).toBe(200);
    const { code, out } = await project.run(['disconnect']);
    expect([code, out]).toEqual([0, `Disconnected from ${at.server.origin}. Access has ended.\n`]);
    expect((await at.world.rpc(tokens.access_token, 'tools/list')).status).toBe(401);
    expect(project.connectionFiles()).toEqual([]);
    expect(await project.run(read)).toMatchObject({ code: 4, err: expect.stringContaining('Not connected') });
  });

  it('deletes it also when the server is gone, with a message', async () => {
    const project = await connect();
    project.edit((connection) => {
      connection.server = 'http://127.0.0.1:9/mcp';
    });
    const { code, out } = await project.run(['disconnect', '127.0.0.1:9', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ revoked: false })]);
    expect(project.connectionFiles()).toEqual([]);
  });

  it('removes only the named connection', async () => {
    const project = await connect();
    await project.run(['connect', at.server.origin, '--name', 'second']);
    expect((await project.run(['disconnect'])).code).toBe(2);
    expect((await project.run(['disconnect', 'third'])).code).toBe(4);
    expect((await project.run(['disconnect', 'second'])).code).toBe(0);
    expect(project.connectionFiles()).toHaveLength(1);
  });
});
