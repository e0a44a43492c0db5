import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Databases, openDatabases } from '../../../src/store/postgres/database.ts';
import { addOwner } from '../../../src/store/postgres/owners.ts';
import { mergeWords } from '../../../src/store/postgres/search/merge-words.ts';
import { readWords } from '../../../src/store/postgres/search/read-words.ts';
import { createWordIndex } from '../../../src/store/postgres/search/word-index.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { decodePositions } from '../../../src/store/postings/posting-list.ts';
import { ridOf } from '../../../src/store/records/rid.ts';
import { useSharedDatabase } from '../../support/postgres/databases.ts';

const STREAM = 3;
const WORDS = 800;
const ROUNDS = 4;
const BATCHES = 6;
const BATCH_RECORDS = 120;

/** Positions by word and record. */
type Positions = Map<string, Map<number, string>>;

const textOf = (seed: number) =>
  Array.from({ length: 12 }, (_, at) => `w${(seed * (at * 7 + 1) + at) % WORDS}`).join(' ');

async function readPositions({ reads }: Databases): Promise<Positions> {
  const words = Array.from({ length: WORDS }, (_, at) => `w${at}`);
  const scope = { queries: reads, ownerId: reads.ownerId, streamIds: [STREAM] };
  const positions: Positions = new Map();
  for (const [word, postings] of await readWords(scope, words, {})) {
    const own = new Map<number, string>();
    postings.visit(new Map([[STREAM, 255]]), 0, Number.POSITIVE_INFINITY, (rid, _, bytes, start, end) =>
      own.set(rid, decodePositions(bytes, start, end).join(' ')),
    );
    if (own.size > 0) positions.set(word, own);
  }
  return positions;
}

function expectedPositions(texts: ReadonlyMap<number, string>): Positions {
  const positions: Positions = new Map();
  for (const [rid, text] of texts)
    for (const [at, word] of text.split(' ').entries()) {
      const own = positions.get(word) ?? new Map<number, string>();
      positions.set(word, own);
      own.set(rid, [own.get(rid), at].filter((one) => one !== undefined).join(' '));
    }
  return positions;
}

const sorted = (positions: Positions) =>
  [...positions].map(([word, own]) => [word, [...own].sort(([a], [b]) => a - b)] as const).sort();

/** Starts a process that merges, and returns once it does. */
async function startMerge(url: string, ownerId: number): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'merge-child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, String(ownerId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('a killed merge of words loses and repeats nothing, and the next merge finishes it', async () => {
  const connections = await useSharedDatabase();
  const databases = openDatabases(connections, await addOwner(connections, randomUUID(), '2026-11-18'));
  const { writes } = databases;
  const index = createWordIndex(writes);
  const texts = new Map<number, string>();
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let batch = 0; batch < BATCHES; batch++) {
      // Half of the records of later rounds replace earlier ones.
      const changes = Array.from({ length: BATCH_RECORDS }, (_, at) => {
        const number = (round * BATCH_RECORDS * BATCHES) / 2 + batch * BATCH_RECORDS + at;
        const rid = ridOf(1_000_000 + number, STREAM, 0);
        const old = texts.get(rid);
        const after = [textOf(number + round), '', '', '', '', '', '', ''];
        texts.set(rid, after[0] as string);
        return { rid, before: old === undefined ? [] : [[old, '', '', '', '', '', '', '']], after };
      });
      await writes.transact(() => index.write(STREAM, changes));
    }
    const child = await startMerge(connections.settings.url, writes.ownerId);
    const exited = once(child, 'exit');
    await sleep(round * 60);
    child.kill('SIGKILL');
    const [, signal] = await exited;
    if (signal === 'SIGKILL') killed += 1;
    expect(sorted(await readPositions(databases))).toEqual(sorted(expectedPositions(texts)));
  }
  expect(killed).toBeGreaterThan(0);
  await mergeWords(writes);
  const [left] = await writes.query<{ n: number }>(
    sql`select count(*) as n from word_segments where owner_id = ${writes.ownerId}`,
  );
  expect(left?.n).toBe(0);
  expect(sorted(await readPositions(databases))).toEqual(sorted(expectedPositions(texts)));
});
