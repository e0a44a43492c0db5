import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { finishErasing, removeConnections } from '../../src/import/remove-connection.ts';
import { runImport } from '../../src/import/run-import.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { verifyStore } from '../../src/store/sqlite/verify/verify-store.ts';
import { logImporter } from '../import/log-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { startScript } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const NOW = new Date('2026-11-16T12:00:00Z');
const RECORDS = 1_200;

let clock = NOW.getTime();

async function importLog(store: SqliteStore, text: string): Promise<void> {
  const { found } = await recogniseInputs([logImporter], [makeInputFile('log.txt', text)]);
  clock += 1_000;
  const at = new Date(clock);
  await runImport(store, found[0] as (typeof found)[0], { options: { timeZone: 'UTC' }, now: () => at });
}

/** A store with two connections, of which one is imported, changed and grown large enough for several pieces. */
async function makeStore(): Promise<string> {
  const folder = join(makeFolder(), 'store');
  mkdirSync(folder, { mode: 0o700 });
  const store = await openStore(folder);
  const write = (word: string) =>
    Array.from({ length: RECORDS }, (_, at) => `e|canarykey${at}|canary${word}${at} sharedword`).join('\n');
  await importLog(store, `LOG canary\n${write('first')}\no|x|canaryother\n`);
  await importLog(store, `LOG canary\n${write('later').split('\n').slice(0, 700).join('\n')}\n`);
  await importLog(store, 'LOG stays\ne|a|sharedword stayingword\n');
  store.close();
  return folder;
}

/** Kills the job before its first transaction, its second, and so on, until it comes to its end. */
async function* killAtEveryStep(job: 'remove' | 'undo', original: string): AsyncGenerator<string> {
  for (let step = 0; step < 200; step += 1) {
    const folder = join(makeFolder(), 'copy');
    cpSync(original, folder, { recursive: true });
    const child = startScript('test/reliability/kill-at-step-child.ts', [job, folder, String(step)]);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await new Promise((resolve) => child.on('close', resolve));
    yield folder;
    if (out.includes('done')) return;
    expect(child.signalCode).toBe('SIGKILL');
  }
  throw new Error('the job never ends');
}

const readFolder = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('audit'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

const problemsOf = async (folder: string) =>
  (await verifyStore(folder)).flatMap(({ check, problems }) => problems.map((one) => [check, one]));

const connectionsOf = (store: SqliteStore) =>
  store.read.raw.prepare('select connection_id from connections order by 1').pluck().all();

describe('removing a connection, killed before each of its transactions', () => {
  it('leaves a sound store, and the next start or the same call finishes it to the last word', async () => {
    const original = await makeStore();
    let kills = 0;
    for await (const folder of killAtEveryStep('remove', original)) {
      kills += 1;
      expect(await problemsOf(folder)).toEqual([]);
      const store = await openStore(folder);
      const isRemoved = !connectionsOf(store).includes('log-canary');
      // As the server does when it starts; an owner who was not told that it is done asks again.
      if (isRemoved && kills % 2 === 0) await finishErasing(store, NOW);
      else if (isRemoved) await removeConnections(store, ['log-canary'], NOW).catch(expectUnknown);
      else await removeConnections(store, ['log-canary'], NOW);
      expect(connectionsOf(store)).toEqual(['log-stays']);
      expect(store.read.raw.prepare('select count(*) from removals').pluck().get()).toBe(0);
      store.close();
      expect(readFolder(folder)).not.toMatch(/canary(key|first|later|other)/);
      expect(readFolder(folder)).toMatch(/stayingword/);
      expect(await problemsOf(folder)).toEqual([]);
    }
    expect(kills).toBeGreaterThan(8);
  });
});

/** Once everything is erased there is no such connection any more. */
function expectUnknown(error: unknown): void {
  expect(error).toMatchObject({ code: 'unknown_connection' });
}

describe('undoing an import, killed before each of its transactions', () => {
  it('is continued by the same call', async () => {
    const original = await makeStore();
    let kills = 0;
    for await (const folder of killAtEveryStep('undo', original)) {
      kills += 1;
      expect(await problemsOf(folder)).toEqual([]);
      const store = await openStore(folder);
      const state = store.read.raw.prepare('select state from imports where import_id = 1').pluck().get();
      if (state !== 'undone') await undoImport(store, 1, NOW);
      // Records that a later import changed stay.
      expect(store.read.raw.prepare('select count(*) from records').pluck().get()).toBe(701);
      store.close();
      expect(await problemsOf(folder)).toEqual([]);
    }
    expect(kills).toBeGreaterThan(3);
  });
});
