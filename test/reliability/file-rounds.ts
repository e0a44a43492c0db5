import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { checkBackup } from '../../src/store/sqlite/backup/manifest.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { countTables } from '../support/fill-store.ts';
import { writeOldStore } from '../support/stores/old-store.ts';
import { killSometime, sometime, startKillChild } from './kill.ts';
import { findLosses, Ledger } from './ledger.ts';

/** How a round went: what was wrong, and how many things were acknowledged before the kill. */
export interface RoundResult {
  readonly problems: string[];
  readonly acknowledged: number;
}

/** Ingests, with or without folding the log in after every batch, while others open the folder beside it. */
export async function ingestAndKill(
  folder: string,
  ledger: Ledger,
  mode: 'ingest' | 'checkpoint',
): Promise<RoundResult> {
  const first = ledger.takeBatch() + 1_000;
  const child = startKillChild(mode, folder, String(first));
  let running = true;
  const problems: string[] = [];
  const look = async () => {
    while (running) {
      await new Promise((resolve) => setTimeout(resolve, sometime(5, 30)));
      problems.push(...(await tryOpen(folder, new Ledger(), false)));
    }
  };
  const [{ lines, ended }] = await Promise.all([
    killSometime(child).finally(() => {
      running = false;
    }),
    look(),
  ]);
  if (ended !== undefined) problems.push(`refused: ended with ${ended.code}: ${ended.err}`);
  for (const line of lines) {
    const [batch = 0, version = 0] = line.split(' ').map(Number);
    ledger.acknowledge(batch, version);
    ledger.skipTo(batch + 10);
  }
  return { problems, acknowledged: lines.length };
}

/** Opens a folder as any command does. */
export async function tryOpen(folder: string, ledger: Ledger, whole = true): Promise<string[]> {
  try {
    const store = await openStore(folder);
    const problems = whole ? await findLosses(store, ledger) : [];
    store.close();
    return problems;
  } catch (error) {
    return [`refused: ${error}`];
  }
}

/** Makes backups until it is killed: whatever has the name of a backup is one. */
export async function backUpAndKill(folder: string): Promise<RoundResult> {
  const place = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const { lines, ended } = await killSometime(startKillChild('backup', folder, place));
  const problems = ended === undefined ? [] : [`refused: ended with ${ended.code}: ${ended.err}`];
  const named = readdirSync(place).filter((name) => name.startsWith('pdpp-'));
  if (named.length < lines.length) problems.push(`${lines.length - named.length} backups are gone`);
  for (const name of named) {
    try {
      await checkBackup(join(place, name));
      problems.push(...(await tryOpen(join(place, name), new Ledger())));
    } catch (error) {
      problems.push(`a backup is not whole: ${error}`);
    }
  }
  rmSync(place, { recursive: true, force: true });
  return { problems, acknowledged: lines.length };
}

/** Restores one backup after the other: the folder opens, and is the one or the other whole. Nothing ended is live. */
export async function restoreAndKill(folder: string, ledger: Ledger): Promise<RoundResult> {
  const place = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const target = join(place, 'data');
  cpSync(folder, target, { recursive: true });
  const backups = [];
  for (const changed of [false, true]) {
    const store = await openStore(target);
    // As a sign by which the two are told apart.
    if (changed) store.write.raw.exec(`insert into sources values ('sign', '{}', '1', '')`);
    backups.push((await makeBackup(store, place, { now: new Date(), version: 'test' })).path);
    store.close();
  }
  const { lines, ended } = await killSometime(startKillChild('restore', target, ...backups));
  const problems = ended === undefined ? [] : [`refused: ended with ${ended.code}: ${ended.err}`];
  problems.push(...(await tryOpen(target, ledger)));
  problems.push(...(await tryOpen(target, ledger)));
  if (readdirSync(target).includes('restore.ready')) problems.push('a restore was not finished');
  rmSync(place, { recursive: true, force: true });
  return { problems, acknowledged: lines.length };
}

const COPIES = 40;

/** Brings stores of 0.1.0 up to date until it is killed: each opens, with everything in it. */
export async function migrateAndKill(): Promise<RoundResult> {
  const place = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const original = join(place, 'original');
  writeOldStore(original);
  for (let i = 0; i < COPIES; i += 1) {
    mkdirSync(join(place, String(i)));
    cpSync(original, join(place, String(i)), { recursive: true });
  }
  const { lines } = await killSometime(startKillChild('migrate', place, String(COPIES)));
  const problems: string[] = [];
  for (let i = 0; i < COPIES; i += 1) {
    try {
      const store = await openStore(join(place, String(i)));
      const { records, facets, days, wrongDays } = countTables(store);
      if (records < 40 || facets !== records || days !== records || wrongDays !== 0)
        problems.push(`an old store has ${records} records, ${facets} facets, ${days} in days`);
      store.close();
    } catch (error) {
      problems.push(`refused: ${error}`);
    }
  }
  rmSync(place, { recursive: true, force: true });
  return { problems, acknowledged: lines.length };
}
