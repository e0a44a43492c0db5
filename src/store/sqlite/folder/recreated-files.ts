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

/** What it means that one was missing, in words for the owner. */
export const meaningOfLoss: Record<Companion, string> = {
  'audit.sqlite':
    'audit.sqlite was missing and was made anew: what apps have read so far is no longer known. If you did not delete it, the folder may be an incomplete or older copy.',
  [SECRET_FILE]:
    'server-secret was missing and was created again: open lists and searches start again, open forms must be reloaded. If you did not delete it, the folder may be an incomplete or older copy.',
};

/**
 * Companions that a store which was in use before has lost. One that is only being made has no settings yet: the
 * first of them is written when everything is in place.
 */
export function findLost(directory: string, store: Database.Database): Companion[] {
  const wasUsed = store.prepare('select 1 from settings limit 1').get() !== undefined;
  const hasFile = (name: Companion) =>
    existsSync(name === SECRET_FILE ? findSecretFile(directory) : join(directory, name));
  return wasUsed ? companions.filter((name) => !hasFile(name)) : [];
}

/** Kept until a server has told the owner: the process that happens on it may be a short command. */
export function rememberLost(store: Database.Database, lost: readonly Companion[]): void {
  if (lost.length === 0) return;
  const known = store.prepare('select value from settings where name = ?').pluck().get(SETTING);
  const names = [...new Set([...parseLost(known), ...lost])];
  store
    .prepare('insert into settings values (?, ?) on conflict do update set value = excluded.value')
    .run(SETTING, names.join(' '));
}

export async function readLost(store: SqliteStore['read']): Promise<Companion[]> {
  return parseLost(await readSetting(store, SETTING));
}

function parseLost(text: unknown): Companion[] {
  const names = typeof text === 'string' ? text.replace(OLD_SECRET_FILE, SECRET_FILE).split(' ') : [];
  return companions.filter((name) => names.includes(name));
}

export async function forgetLost({ db }: SqliteStore['write']): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', SETTING).execute();
}
