import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, runAsAdmin } from '../../support/postgres/databases.ts';
import { useServer } from '../../support/postgres/server.ts';
import { runCli } from '../../support/run-cli.ts';
import { makeFolder } from '../../support/temp-folder.ts';

/** A folder with a pg_dump that says a version. */
function makeProgram(version: string): string {
  const folder = makeFolder();
  const file = join(folder, 'pg_dump');
  writeFileSync(file, `#!/bin/sh\necho "pg_dump (PostgreSQL) ${version}"\n`);
  chmodSync(file, 0o755);
  return folder;
}

async function backup(url: string, ...path: readonly string[]) {
  const PATH = [...path, '/nowhere'].join(delimiter);
  const data = makeFolder();
  const environment = { DATABASE_URL: url, PATH };
  const { code, out, err } = await runCli(['backup', 'somewhere', '--data', data, '--json'], { environment });
  const findings = JSON.parse(out) as { check: string; fine: boolean; say: string }[];
  return { code, err, found: new Map(findings.map((finding) => [finding.check, finding])), data };
}

describe('pdpp backup on PostgreSQL', () => {
  it('fails, and says what to use instead', async () => {
    const { code, err, found, data } = await backup(await createTestDatabase(), makeProgram('99.1'));
    expect(code).not.toBe(0);
    expect(err).toContain('pg_dump --format=custom --file=pdpp.dump "$DATABASE_URL"');
    expect(found.get('pg_dump')).toMatchObject({ fine: true });
    expect(found.get('server secret')?.say).toContain(join(data, 'server-secret'));
  });

  it('says that pg_dump is missing, or older than the server', async () => {
    const url = await createTestDatabase();
    expect((await backup(url)).found.get('pg_dump')).toMatchObject({
      fine: false,
      say: expect.stringMatching(/^not installed;/),
    });
    const { found } = await backup(url, makeProgram('9.6.24 (Debian 9.6.24-0+deb9u1)'));
    expect(found.get('pg_dump')).toMatchObject({ fine: false });
    expect(found.get('pg_dump')?.say).toMatch(/^version 9 cannot dump a server of version \d+;/);
  });

  it('says whether the user can dump every row', async () => {
    const url = await createTestDatabase();
    expect((await backup(url)).found.get('rights')).toMatchObject({ fine: false });
    const server = await useServer();
    const database = new URL(url).pathname.slice(1);
    await runAsAdmin('postgres', 'create user dumper bypassrls', `grant pdpp to dumper`).catch(() => {});
    const { found } = await backup(server.url(database, 'dumper'));
    expect(found.get('rights')).toMatchObject({ fine: true });
  });
});
