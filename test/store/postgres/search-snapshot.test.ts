import { describe, expect, it } from 'vitest';
import { createDictionary } from '../../../src/search/dictionary.ts';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { openProcesses } from '../../support/postgres/open-processes.ts';

/** Raises the number of the latest change, as every batch does. */
function commit({ databases: { writes } }: PostgresStore): Promise<number> {
  return writes.run(
    sql`update counters set value = value + 1 where owner_id = ${writes.ownerId} and name = 'seq'`,
  );
}

async function addWord({ databases: { writes } }: PostgresStore, word: string): Promise<void> {
  await writes.run(sql`insert into lexicon (owner_id, word) values (${writes.ownerId}, ${word})`);
}

describe('the reads of one search', () => {
  it('see the same commits, whatever is stored meanwhile', async () => {
    const [reader, writer] = (await openProcesses(2)) as [PostgresStore, PostgresStore];
    const { search, records } = reader.read;
    await addWord(writer, 'walnut');
    const seen = await search.inSnapshot(async (horizon) => {
      const before = await search.wordsWithPrefix('wal');
      await Promise.all([commit(writer), addWord(writer, 'walrus')]);
      return { horizon, before, after: await search.wordsWithPrefix('wal'), now: await records.horizon() };
    });
    expect(seen.before).toEqual(['walnut']);
    expect(seen.after).toEqual(['walnut']);
    expect(seen.now).toBe(seen.horizon);
    expect(await search.wordsWithPrefix('wal')).toEqual(['walnut', 'walrus']);
    expect(await records.horizon()).toBe((seen.horizon ?? 0) + 1);
  });

  it('use one connection, so that many searches cannot wait for each other', async () => {
    const [reader] = (await openProcesses(1)) as [PostgresStore];
    const { search, stored } = reader.read;
    await addWord(reader, 'walnut');
    const all = Array.from({ length: 20 }, () =>
      search.inSnapshot(async () => [await search.wordsWithPrefix('w'), await stored.words(0, 10)]),
    );
    for (const [words] of await Promise.all(all)) expect(words).toEqual(['walnut']);
  });

  it('run alone after the search has ended', async () => {
    const [reader] = (await openProcesses(1)) as [PostgresStore];
    const { search } = reader.read;
    let late: Promise<string[]> = Promise.resolve([]);
    await addWord(reader, 'walnut');
    await search.inSnapshot(async () => {
      late = new Promise((resolve) => {
        setTimeout(() => resolve(search.wordsWithPrefix('w')), 50);
      });
    });
    expect(await late).toEqual(['walnut']);
  });

  it('do not fail because another search, which loads the dictionary, was stopped', async () => {
    const [reader] = (await openProcesses(1)) as [PostgresStore];
    const { search, stored } = reader.read;
    await addWord(reader, 'walnut');
    let stop: (error: Error) => void = () => {};
    let isFirst = true;
    const dictionary = createDictionary(async (after, limit) => {
      if (!isFirst) return stored.words(after, limit);
      isFirst = false;
      return new Promise((_, reject) => {
        stop = reject;
      });
    });
    const found = dictionary.findSimilar('wallnut');
    stop(new Error('stopped'));
    expect(await found).toEqual(['walnut']);
    expect(await search.inSnapshot(() => dictionary.findSimilar('walnutt'))).toEqual(['walnut']);
  });
});
