import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { APPLICATION_ID } from '../../../src/store/sqlite/check/check-file.ts';
import { auditMigrations, migrations } from '../../../src/store/sqlite/migrations.ts';
import { makeFolder } from '../temp-folder.ts';

const stored = (name: string, store = 'old-store') =>
  new URL(`../../store/upgrade/${store}/${name}`, import.meta.url);

/** What the people and apps of the old store hold in their hands: tokens, cursors and what they had been shown. */
export interface OldHandles {
  readonly at: string;
  readonly passphrase: string;
  readonly grants: Record<'command_line' | 'windowed' | 'ended', { token: string }>;
  readonly oauth: { client_id: string; access_token: string; refresh_token: string };
  readonly session_cookies: Record<string, string>;
  readonly owner_token: string;
  readonly changes_since: string;
  readonly query: OldPage;
  readonly search: OldPage;
}

interface OldPage {
  readonly arguments: Record<string, unknown>;
  readonly ids: string[];
  readonly next_cursor: string;
}

/**
 * A folder that pdpp 0.1.0 itself has written: notes in nine languages, forty alike, one changed, one deleted;
 * grants from the command line, one through consent, one ended. Never made anew: it is what users have.
 */
export function unpackOldStore(): { directory: string; handles: OldHandles } {
  const directory = join(makeFolder(), 'old');
  writeOldStore(directory);
  return { directory, handles: JSON.parse(readFileSync(stored('made.json'), 'utf8')) as OldHandles };
}

/** The same into a folder that the caller takes away. */
export function writeOldStore(directory: string, store = 'old-store'): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of ['store.sqlite', 'audit.sqlite'])
    writeFileSync(join(directory, name), gunzipSync(readFileSync(stored(`${name}.gz`, store))), {
      mode: 0o600,
    });
  for (const name of ['cursor.key', 'server-secret'].filter((one) => existsSync(stored(one, store))))
    copyFileSync(stored(name, store), join(directory, name));
}

/** What an app held of the store with imports. */
export interface ImportHandles extends Pick<OldHandles, 'at' | 'changes_since' | 'query' | 'search'> {
  readonly token: string;
}

const IMPORTS = 'old-store-with-imports';

/**
 * A folder that the last tree before 0.2 has written: seven exports, which lie beside it, were imported with the zone
 * Europe/Berlin, and one app has access. Never made anew.
 */
export function unpackStoreWithImports(): { directory: string; exports: string; handles: ImportHandles } {
  const directory = join(makeFolder(), 'old');
  writeOldStore(directory, IMPORTS);
  return {
    directory,
    exports: fileURLToPath(stored('exports/', IMPORTS)),
    handles: JSON.parse(readFileSync(stored('made.json', IMPORTS), 'utf8')) as ImportHandles,
  };
}

/** What the people and apps of the store of 0.2 held, and what one of them had been answered. */
export interface SecondHandles extends OldHandles {
  /** An app whose access to the connection `home` had been ended. */
  readonly narrowed: OldHandles['oauth'] & { readonly sees: readonly string[] };
  /** The `data` of the stars of all notes, by month. */
  readonly aggregate: Record<string, unknown>;
}

/**
 * A folder that the server and the commands of pdpp 0.2.0 have written: notes of our own source, one changed and one deleted
 * later; the exports of the store with imports; an import that was undone, and a connection with a new name; four
 * ways of access and one that was ended. Never made anew.
 */
export function unpackSecondStore(): { directory: string; exports: string; handles: SecondHandles } {
  const directory = join(makeFolder(), 'second');
  writeOldStore(directory, 'old-store-0.2');
  const handles = JSON.parse(readFileSync(stored('made.json', 'old-store-0.2'), 'utf8')) as SecondHandles;
  return { directory, exports: fileURLToPath(stored('exports/', IMPORTS)), handles };
}

/** A store as version `version` of the tables left it, with what `fill` puts into it. */
export function createOldStore(
  directory: string,
  version: number,
  fill: (store: Database.Database) => void,
): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, steps] of [
    ['store.sqlite', migrations],
    ['audit.sqlite', auditMigrations],
  ] as const) {
    const done = steps.slice(0, version);
    const database = new Database(join(directory, name));
    database.pragma('journal_mode = wal');
    for (const step of done) {
      if (typeof step === 'string') database.exec(step);
      else step(database, { report() {} });
    }
    database.pragma(`user_version = ${done.length}`);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    if (name === 'store.sqlite') fill(database);
    database.close();
  }
}
