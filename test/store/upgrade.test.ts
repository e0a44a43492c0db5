import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createAccessFinder } from '../../src/grants/access.ts';
import { createToken, hashToken } from '../../src/grants/token.ts';
import { APPLICATION_ID } from '../../src/store/check-file.ts';
import { auditMigrations, migrations } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** A store as version i of the program left it. */
function createOldStore(directory: string, version: number, fill: (store: Database.Database) => void): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, steps] of [
    ['store.sqlite', migrations],
    ['audit.sqlite', auditMigrations],
  ] as const) {
    const database = new Database(join(directory, name));
    database.pragma('journal_mode = wal');
    for (const step of steps.slice(0, version)) database.exec(step);
    database.pragma(`user_version = ${version}`);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    if (name === 'store.sqlite') fill(database);
    database.close();
  }
}

describe('a store of the first version', () => {
  it('is brought up to date, and its grants and tokens go on working', async () => {
    const directory = join(makeFolder(), 'first');
    const token = createToken();
    createOldStore(directory, 1, (store) => {
      const body = JSON.stringify({
        version: '0.1.0',
        streams: [{ connection_id: 'a', stream: 's', fields: ['id'] }],
      });
      store
        .prepare('insert into grants values (?, ?, ?, ?, ?, ?)')
        .run('grant_1', 'Old app', '2026-01-01T00:00:00.000Z', null, null, body);
      store
        .prepare('insert into tokens values (?, ?, ?, ?, ?)')
        .run(hashToken(token), 'client', 'grant_1', '2026-01-01T00:00:00.000Z', null);
    });
    const store = openStore(directory);
    const access = await createAccessFinder(store.read, 'http://127.0.0.1:7733/mcp')(token, new Date());
    expect(access).toMatchObject({ kind: 'client', grant: { clientName: 'Old app', endedConnections: [] } });
    store.close();
  });
});
