import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { SqliteStore } from '../open-store.ts';
import { readSetting } from '../settings.ts';
import { findSecretFile, OLD_SECRET_FILE, SECRET_FILE } from './secret-file.ts';

/** Files that a store in use always has beside it. */
const companions = ['audit.sqlite', SECRET_FILE] as const;
export type Companion = (typeof companions)[number];

const SETTING = 'made_anew';

/** Tells the owner what was lost with a missing file. */
export const lossMessages: Record<Companion, string> = {
  'audit.sqlite':
    'audit.sqlite was missing and was created again: the log of what apps have read so far is lost. If you did not delete it, the folder may be an incomplete or older copy.',
  [SECRET_FILE]:
    'server-secret was missing and was created again: open lists and searches start again, open forms must be reloaded. If you did not delete it, the folder may be an incomplete or older copy.',
};

/** Returns the missing companions of a store that was used before. A new store has no settings until it is complete. */
export function findLost(directory: string, store: Database.Database): Companion[] {
  const wasUsed = store.prepare('select 1 from settings limit 1').get() !== undefined;
  const hasFile = (name: Companion) =>
    existsSync(name === SECRET_FILE ? findSecretFile(directory) : join(directory, name));
  return wasUsed ? companions.filter((name) => !hasFile(name)) : [];
}

/** Remembers losses until a server reports them to the owner: a short command may be the first to notice. */
export function rememberLost(store: Database.Database, lost: readonly Companion[]): void {
  if (lost.length === 0) return;
  const known = store.prepare('select value from settings where name = ?').pluck().get(SETTING);
  const names = [...new Set([...parseLost(known), ...lost])];
  store
    .prepare('insert into settings values (?, ?) on conflict do update set value = excluded.value')
    .run(SETTING, names.join(' '));
}

export async function readLost({ db }: SqliteStore['read']): Promise<Companion[]> {
  return parseLost(await readSetting(db, SETTING));
}

function parseLost(text: unknown): Companion[] {
  const names = typeof text === 'string' ? text.replace(OLD_SECRET_FILE, SECRET_FILE).split(' ') : [];
  return companions.filter((name) => names.includes(name));
}

export async function forgetLost({ db }: SqliteStore['write']): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', SETTING).execute();
}
