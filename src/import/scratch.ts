import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A private database for the length of one import: what would grow with the file lies there and not in memory. */
export interface Scratch {
  readonly raw: Database.Database;
  close(): void;
}

export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-import-'));
  const raw = new Database(join(folder, 'scratch.sqlite'));
  raw.pragma('journal_mode = off');
  raw.pragma('synchronous = off');
  raw.pragma('locking_mode = exclusive');
  raw.pragma('cache_size = -32000');
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
