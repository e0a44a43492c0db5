import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createScans } from '../../src/store/sqlite/scan-rows.ts';
import { makeFolder } from '../support/temp-folder.ts';

const ROWS = 100_000;
const ALL = { sql: 'select 1 from numbers where visit(n, n, n)', parameters: [] };

function createTable() {
  const file = join(makeFolder(), 'numbers.sqlite');
  const writer = new Database(file);
  writer.pragma('journal_mode = wal');
  writer.exec(`create table numbers (n integer);
    with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${ROWS})
    insert into numbers select n from counter`);
  let opened = 0;
  const scans = createScans(() => {
    opened += 1;
    return new Database(file, { readonly: true });
  });
  const count = async () => {
    let rows = 0;
    await scans.scanRows(ALL, () => {
      rows += 1;
    });
    return rows;
  };
  return { writer, scans, count, countOpened: () => opened };
}

describe('scanRows', () => {
  it('visits every row and yields to the event loop meanwhile', async () => {
    const { scans, count } = createTable();
    let turns = 0;
    const watch = () => {
      turns += 1;
      next = setImmediate(watch);
    };
    let next = setImmediate(watch);
    expect(await count()).toBe(ROWS);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(0);
    scans.close();
  });

  it('sees the rows as they were when it began, whatever is written meanwhile and however many scans run', async () => {
    const { writer, scans, count, countOpened } = createTable();
    const running = [count(), count()];
    writer.exec('delete from numbers');
    expect(await Promise.all(running)).toEqual([ROWS, ROWS]);
    expect(await count()).toBe(0);
    expect(countOpened()).toBe(2);
    scans.close();
  });

  it('keeps nothing of what a scan collected', async () => {
    const { scans } = createTable();
    const scan = async () => {
      const collected: number[] = [];
      await scans.scanRows(ALL, (n) => collected.push(n));
      return new WeakRef(collected);
    };
    const left = await scan();
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(left.deref() === undefined).toBe(true);
    scans.close();
  });

  it('ends with an error when the store is closed meanwhile', async () => {
    const { scans, count } = createTable();
    const running = count();
    scans.close();
    await expect(running).rejects.toThrow('closed during a scan');
  });
});
