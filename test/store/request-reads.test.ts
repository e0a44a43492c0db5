import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommitCache } from '../../src/store/sqlite/request-reads.ts';
import { useFolder } from '../support/temp-folder.ts';

let writer: Database.Database;
let reader: Database.Database;
let reads = 0;

beforeEach(() => {
  const file = join(useFolder(), 'data.sqlite');
  writer = new Database(file);
  writer.pragma('journal_mode = wal');
  writer.exec("create table words (word text); insert into words values ('first')");
  reader = new Database(file, { readonly: true });
  reads = 0;
});

afterEach(() => {
  reader.close();
  writer.close();
});

function createRead() {
  const select = reader.prepare('select max(word) from words').pluck();
  return createCommitCache(reader)(2, async (argument) => {
    reads += 1;
    return `${argument} ${select.get()}`;
  });
}

test('reads once while nothing is committed', async () => {
  const read = createRead();
  expect([await read('a'), await read('a')]).toEqual(['a first', 'a first']);
  expect(reads).toBe(1);
});

test('reads again after a commit of another connection, and not before it', async () => {
  const read = createRead();
  await read('a');
  writer.exec("begin; insert into words values ('second')");
  expect(await read('a')).toBe('a first');
  writer.exec('commit');
  expect(await read('a')).toBe('a second');
});

test('holds no more results than allowed', async () => {
  const read = createRead();
  for (const argument of ['a', 'b', 'c', 'a']) await read(argument);
  expect(reads).toBe(4);
});

test('does not cache a failed read', async () => {
  let fails = true;
  const read = createCommitCache(reader)(2, async () => {
    if (fails) throw new Error('failed');
    return 'done';
  });
  await expect(read('a')).rejects.toThrow('failed');
  fails = false;
  expect(await read('a')).toBe('done');
});
