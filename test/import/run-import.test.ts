import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listImports } from '../../src/import/import-log.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { removeConnections } from '../../src/import/remove-connection.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { verifyStore } from '../../src/store/sqlite/verify/verify-store.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW } from '../support/world.ts';
import { logImporter } from './log-importer.ts';

let clock = NOW.getTime();

async function setUp() {
  const world = await createWorld({ timeZone: 'Europe/Berlin' });
  onTestFinished(() => world.close());
  const importLog = async (text: string, run: Partial<RunOptions> = {}) => {
    const { found } = await recogniseInputs([logImporter], [makeInputFile('log.txt', text, 50)]);
    clock += 1_000;
    const at = new Date(clock);
    const options = { options: { timeZone: 'Europe/Berlin' }, now: () => at, ...run };
    return runImport(world.store, found[0] as (typeof found)[0], options);
  };
  return { world, store: world.store, importLog };
}

const readAll = (store: SqliteStore) =>
  store.read.raw
    .prepare('select stream, key, data from records join streams using (stream_id) order by stream, key')
    .all() as { stream: string; key: string; data: string }[];
const wordsOf = (store: SqliteStore) =>
  Object.fromEntries(
    readAll(store).map(({ key, data }) => [key, (JSON.parse(data) as { words: string }).words]),
  );
const undo = (store: SqliteStore, id: number | undefined) => {
  clock += 1_000;
  return undoImport(store, id as number, new Date(clock));
};

describe('an import', () => {
  it('counts new, changed, same and skipped records, and a dry run predicts them exactly', async () => {
    const { store, importLog } = await setUp();
    const steps = [
      'LOG\ne|a|one\ne|b|two\no|a|three\nnonsense\n',
      'LOG\ne|a|one\ne|b|TWO\ne|b|two\ne|b|TWO\ne|c|new\ne|c|new\n',
      `LOG\ne|${'k'.repeat(600)}|long\ne||same\ne||same\n`,
    ];
    for (const [index, step] of steps.entries()) {
      const foretold = await importLog(step, { dryRun: true });
      const before = readAll(store);
      expect(foretold.state).toBe('foretold');
      const done = await importLog(step);
      expect(foretold.report.streams).toEqual(done.report.streams);
      expect(foretold.report.problems).toEqual(done.report.problems);
      if (index === 0) expect(before).toEqual([]);
    }
    const [third, second, first] = (await listImports(store.read)).map(({ report }) => report);
    expect(first?.streams).toEqual({
      entries: { new: 2, changed: 0, same: 0, skipped: 0 },
      others: { new: 1, changed: 0, same: 0, skipped: 0 },
    });
    expect(first?.problems).toEqual([{ path: 'log.txt', place: 'line 5', reason: 'is not a line of a log' }]);
    // Of the three versions of b only the last counts.
    expect(second?.streams).toEqual({ entries: { new: 1, changed: 1, same: 4, skipped: 0 } });
    expect(third?.streams).toEqual({ entries: { new: 2, changed: 0, same: 0, skipped: 1 } });
  });

  it('keeps the last of several records with one key, and importing again changes nothing', async () => {
    const { store, importLog } = await setUp();
    const filler = Array.from({ length: 700 }, (_, i) => `e|k${i}|word`).join('\n');
    const text = `LOG\ne|a|home\ne|b|one\n${filler}\ne|a|work\ne|b|two\ne|b|one\no|a|other\n`;
    await importLog(text);
    const first = readAll(store);
    expect(wordsOf(store)).toMatchObject({ b: 'one' });
    expect(first.find(({ stream, key }) => stream === 'entries' && key === 'a')?.data).toContain('work');
    const countVersions = () => store.read.raw.prepare('select count(*) from history').pluck().get();
    const versions = countVersions();
    for (const dryRun of [true, false]) {
      const { streams } = (await importLog(text, { dryRun })).report;
      expect(streams.entries).toEqual({ new: 0, changed: 0, same: 705, skipped: 0 });
    }
    expect(readAll(store)).toEqual(first);
    expect(countVersions()).toBe(versions);
  });

  it('gives rows without an id a stable key and keeps equal rows apart', async () => {
    const { store, importLog } = await setUp();
    await importLog('LOG\ne||x\ne||x\ne||y\n');
    const first = readAll(store).map(({ key }) => key);
    expect(new Set(first).size).toBe(3);
    const again = await importLog('LOG\ne||y\ne||x\ne||x\ne||x\n');
    expect(again.report.streams.entries).toEqual({ new: 1, changed: 0, same: 3, skipped: 0 });
  });

  it('uses one connection per account and no connection that it did not create', async () => {
    const { world, store, importLog } = await setUp();
    await world.addSource(
      await logImporter.declare({ files: [], certainty: 'certain' }, { timeZone: 'UTC' }),
      { log: 'By hand' },
    );
    const anna = await importLog('LOG Anna@Example.org\ne|a|1\n');
    const again = await importLog('LOG Anna@Example.org\ne|a|1\n', { name: 'Mine' });
    const ben = await importLog('LOG ben\ne|a|1\n');
    const nobody = await importLog('LOG\ne|b|1\n');
    expect([anna, again, ben, nobody].map(({ report }) => [report.connection_id, report.connection])).toEqual(
      [
        ['log-anna-example-org', 'new'],
        ['log-anna-example-org', 'same'],
        ['log-ben', 'new'],
        ['log-2', 'new'],
      ],
    );
    const row = store.read.raw
      .prepare('select * from connections where connection_id = ?')
      .get('log-anna-example-org');
    expect(row).toMatchObject({
      display_name: 'Log (Anna@Example.org)',
      account: 'Anna@Example.org',
      self: '["Anna@Example.org"]',
    });
  });

  it('gives every connection a unique name, also in the dry run', async () => {
    const { store, importLog } = await setUp();
    const foretold = async (text: string, run: Partial<RunOptions>) => {
      const { report } = await importLog(text, { ...run, dryRun: true });
      expect((await importLog(text, run)).report.connection_name).toBe(report.connection_name);
      return report.connection_name;
    };
    expect(await foretold('LOG anna\ne|a|1\n', { name: 'Bank' })).toBe('Bank');
    expect(await foretold('LOG ben\ne|a|1\n', { name: 'bank' })).toBe('bank 2');
    expect(await foretold('LOG carla\ne|a|1\n', { name: 'Bank' })).toBe('Bank 3');
    // A connection that exists keeps its name.
    expect(await foretold('LOG ben\ne|a|2\n', { name: 'bank 2' })).toBe('bank 2');
    expect(await foretold('LOG ben\ne|a|3\n', { name: 'Bank 3' })).toBe('bank 2');
    expect(await foretold('LOG ben\ne|a|4\n', { name: 'Mine' })).toBe('bank 2');
    const long = 'x'.repeat(200);
    expect(await foretold('LOG dora\ne|a|1\n', { name: long })).toBe(long);
    expect(await foretold('LOG emil\ne|a|1\n', { name: long })).toBe(`${'x'.repeat(198)} 2`);
    const names = store.read.raw.prepare('select display_name from connections').pluck().all();
    expect(new Set(names).size).toBe(5);
  });

  it('stops on abort, keeps the records read so far, and continues when it is run again', async () => {
    const { store, importLog } = await setUp();
    const text = `LOG\n${Array.from({ length: 2_000 }, (_, i) => `e|k${i}|word${i}`).join('\n')}\n`;
    const controller = new AbortController();
    const stopped = await importLog(text, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(stopped.state).toBe('stopped');
    const kept = readAll(store).length;
    expect(kept).toBeGreaterThanOrEqual(500);
    expect(kept).toBeLessThan(2_000);
    const rest = await importLog(text);
    expect(rest.report.streams.entries).toEqual({ new: 2_000 - kept, changed: 0, same: kept, skipped: 0 });
  });

  it('creates no connection when it is stopped before the first record', async () => {
    const { store, importLog } = await setUp();
    const { state, import_id } = await importLog('LOG\ne|a|1\n', { signal: AbortSignal.abort() });
    expect({ state, import_id }).toEqual({ state: 'stopped', import_id: undefined });
    expect(await store.read.catalog.listConnections()).toEqual([]);
    expect(await listImports(store.read)).toEqual([]);
  });

  it('keeps the records before an error of the importer', async () => {
    const { store } = await setUp();
    const failing = {
      ...logImporter,
      async *read(...given: Parameters<typeof logImporter.read>) {
        yield* logImporter.read(...given);
        throw new Error('a bug');
      },
    };
    const { found } = await recogniseInputs([failing], [makeInputFile('log.txt', 'LOG\ne|a|1\n')]);
    const result = await runImport(store, found[0] as (typeof found)[0], {
      options: { timeZone: 'UTC' },
      now: () => NOW,
    });
    expect(result.report.problems).toEqual([{ path: 'log.txt', reason: 'could not be read completely' }]);
    expect(readAll(store)).toHaveLength(1);
  });
});

describe('undoing an import', () => {
  it('removes added records, restores changed ones, and keeps those changed since', async () => {
    const { store, importLog } = await setUp();
    await importLog('LOG\ne|a|old a\ne|b|old b\ne|c|old c\n');
    const before = readAll(store);
    const second = await importLog('LOG\ne|a|in between\ne|a|new a\ne|b|new b\ne|d|new d\ne|e|new e\n');
    await importLog('LOG\ne|b|newest b\ne|e|newest e\n');
    expect(await undo(store, second.import_id)).toEqual({
      removed: 1,
      restored: 1,
      kept: 2,
      connection_removed: false,
    });
    expect(wordsOf(store)).toEqual({ a: 'old a', b: 'newest b', c: 'old c', e: 'newest e' });
    expect(before.find(({ key }) => key === 'a')).toEqual(readAll(store).find(({ key }) => key === 'a'));
    await expect(undo(store, second.import_id)).rejects.toThrow('already been undone');
    const again = await importLog('LOG\ne|d|new d\n');
    expect(again.report.streams.entries?.new).toBe(1);
  });

  it('restores the previous answers of the tools', async () => {
    const { world, store, importLog } = await setUp();
    await importLog('LOG keep\ne|a|apple\n');
    const token = await world.ownerToken();
    const ask = async () => {
      const paths = ['/v1/schema', '/v1/search?query=apple', '/v1/streams/entries/records'];
      const answers = await Promise.all(
        paths.map(async (path) =>
          (await world.request(path, { headers: { authorization: `Bearer ${token}` } })).text(),
        ),
      );
      return answers.map((answer) => answer.replace(/"request_id":"[^"]*"/g, ''));
    };
    const before = await ask();
    const second = await importLog('LOG other\ne|x|apple pie\no|y|apples\n');
    expect(await ask()).not.toEqual(before);
    expect(await undo(store, second.import_id)).toMatchObject({ removed: 2, connection_removed: true });
    expect(await ask()).toEqual(before);
  });
});

describe('removing a connection', () => {
  const readFolder = (folder: string) =>
    Buffer.concat(
      readdirSync(folder)
        .filter((name) => !name.startsWith('audit'))
        .map((name) => readFileSync(join(folder, name))),
    ).toString('latin1');

  it('erases its text from every file of the store and changes nothing else', async () => {
    const { world, store, importLog } = await setUp();
    await importLog('LOG stays\ne|a|sharedword stayingword\n');
    const lines = Array.from({ length: 1_500 }, (_, i) => `e|canarykey${i}|canaryword${i} sharedword`).join(
      '\n',
    );
    await importLog(`LOG canaryaccount\n${lines}\no|x|canaryother\n`);
    await importLog(`LOG canaryaccount\n${lines.replaceAll('canaryword', 'canarychanged')}\n`);
    const { token } = await world.grant([
      { connection_id: 'log-canaryaccount' },
      { connection_id: 'log-stays' },
    ]);
    expect(readFolder(store.directory)).toMatch(/canary(key|word|changed|account|other)/);
    const removed = await removeConnections(store, ['log-canaryaccount'], NOW);
    expect(removed).toEqual({ records: 1_501, grants: 1 });
    expect(readFolder(store.directory)).not.toMatch(/canary(key|word|changed|other)/);
    expect(wordsOf(store)).toEqual({ a: 'sharedword stayingword' });
    const words = store.read.raw.prepare('select word from lexicon').pluck().all();
    expect(words).toEqual(expect.arrayContaining(['sharedword', 'stayingword']));
    const found = await world.call(token, 'search', { query: 'sharedword' });
    expect(JSON.stringify(found)).not.toContain('canary');
    const findings = await verifyStore(store.directory);
    expect(findings.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });

  it('hides a new connection with the same id from apps that could read the first', async () => {
    const { world, store, importLog } = await setUp();
    await importLog('LOG me\ne|a|first\n');
    const { token } = await world.grant([{ connection_id: 'log-me' }]);
    await removeConnections(store, ['log-me'], NOW);
    await importLog('LOG me\ne|a|second\n');
    const answer = await world.call(token, 'search', { query: 'second' });
    expect(JSON.stringify(answer)).not.toContain('log-me');
  });
});
