import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A private database for the length of one import: what would grow with the file lies there and not in memory. */
export interface Scratch {
  readonly raw: Database.Database;
  close(): void;
}

/** More memory is for what is looked up again and again; what is only written down needs little. */
export function openScratch(cacheKilobytes = 32_000): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-import-'));
  const raw = new Database(join(folder, 'scratch.sqlite'));
  raw.pragma('journal_mode = off');
  raw.pragma('synchronous = off');
  raw.pragma('locking_mode = exclusive');
  raw.pragma(`cache_size = -${cacheKilobytes}`);
  // One transaction until it is closed: nobody else reads it and nothing in it has to last.
  raw.exec('begin');
  return {
    raw,
    close() {
      raw.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
