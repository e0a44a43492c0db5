import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { Sqlite } from './folder/database-module.ts';

/** A temporary database of one import, for data that would otherwise grow in memory with the file. */
export interface Scratch {
  readonly raw: Database.Database;
  close(): void;
}

/** Opens a scratch database. Data that is looked up often needs a larger cache than data that is only written. */
export function openScratch(cacheKilobytes = 32_000): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-import-'));
  const raw = new Sqlite(join(folder, 'scratch.sqlite'));
  raw.pragma('journal_mode = off');
  raw.pragma('synchronous = off');
  raw.pragma('locking_mode = exclusive');
  raw.pragma(`cache_size = -${cacheKilobytes}`);
  // One transaction until it is closed: no other process reads it, and it is deleted afterwards.
  raw.exec('begin');
  return {
    raw,
    close() {
      raw.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
