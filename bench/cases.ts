import { isDeepStrictEqual } from 'node:util';
import type Database from 'better-sqlite3';
import { spendingCategories } from '../src/sources/bank/bank-declaration.ts';
import { type FloorCall, getStream } from './floor.ts';
import type { Call, ToolCall } from './requests.ts';
import { pickWords } from './words.ts';

/** A request and the SQL it is held against. Call i is the same on both sides. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** Calls per round with one connection and with more. */
  readonly calls: readonly [alone: number, together: number];
  readonly call: (index: number) => Call;
  readonly floor?: (index: number) => FloorCall;
  /** Whether both results agree. */
  readonly agrees?: (answer: Answer, floor: unknown) => boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of five tools
export type Answer = any;

const KEYS = 400;
const LIGHT = [150, 400] as const;
const transactions = { stream: 'transactions', connection_id: 'bank_checking' };

export function createCases(db: Database.Database): Case[] {
  const words = pickWords(db);
  const ids = pickRecords(db);
  const pick = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
  const search = (query: string): ToolCall => ({ name: 'search', arguments: { query } });
  const match = (list: readonly string[]): FloorCall => ({
    op: 'match',
    values: [list.map((word) => `"${word}"`).join(' AND ')],
  });
  return [
    {
      id: 'fetch',
      title: 'fetch one record',
      calls: LIGHT,
      call: (i) => ({ name: 'fetch', arguments: { id: pick(ids, i).id } }),
      floor: (i) => ({ op: 'fetch', values: [pick(ids, i).streamId, pick(ids, i).key] }),
      agrees: (answer, [row]: Answer) => plainTexts(row.data).every((text) => answer.text.includes(text)),
    },
    {
      id: 'filtered',
      title: 'query_records, filtered, 25',
      calls: LIGHT,
      call: (i) => queryRecords({ filter: { category: pick(spendingCategories, i) } }),
      floor: (i) => ({ op: 'filtered', values: [pick(spendingCategories, i)] }),
      agrees: samePage,
    },
    {
      id: 'newest',
      title: 'query_records, newest 25',
      calls: LIGHT,
      call: () => queryRecords({}),
      floor: () => ({ op: 'newest', values: [] }),
      agrees: samePage,
    },
    {
      id: 'changes',
      title: 'query_records, changes, 25',
      calls: LIGHT,
      call: () => queryRecords({ changes_since: 'beginning' }),
    },
    {
      id: 'months',
      title: 'aggregate count by month',
      calls: [60, 120],
      call: () => ({ name: 'aggregate', arguments: { ...transactions, interval: 'month' } }),
      floor: () => ({ op: 'months', values: [] }),
      agrees: sameValues,
    },
    {
      id: 'monthly_sum',
      title: 'aggregate sum by month',
      calls: [10, 16],
      call: () => ({
        name: 'aggregate',
        arguments: { ...transactions, interval: 'month', metric: 'sum', field: 'amount' },
      }),
      floor: () => ({ op: 'monthly_sum', values: [] }),
      agrees: sameValues,
    },
    {
      id: 'top',
      title: 'aggregate sum by merchant, top 10',
      calls: [4, 8],
      call: () => ({
        name: 'aggregate',
        arguments: { ...transactions, metric: 'sum', field: 'amount', group_by: ['merchant'], limit: 10 },
      }),
      floor: () => ({ op: 'top', values: [] }),
      agrees: (answer, rows: Answer) =>
        isDeepStrictEqual(
          answer.data.groups.map((group: Answer) => group.merchant),
          rows.map((row: Answer) => row.name),
        ),
    },
    {
      id: 'search',
      title: 'search, ordinary words',
      calls: [words.ordinary.length, words.ordinary.length],
      call: (i) => search(pick(words.ordinary, i).join(' ')),
      floor: (i) => match(pick(words.ordinary, i)),
      agrees: hasResults,
    },
    {
      id: 'search_common',
      title: 'search, very common words',
      calls: [words.common.length, 8],
      call: (i) => search(pick(words.common, i)),
      floor: (i) => match([pick(words.common, i)]),
      agrees: hasResults,
    },
    {
      id: 'search_sentence',
      title: 'search, a question of 10 to 20 words',
      calls: [words.sentences.length, 16],
      call: (i) => search(pick(words.sentences, i)),
      agrees: hasResults,
    },
    {
      id: 'search_phrase',
      title: 'search, a phrase with a very common word',
      calls: [words.phrases.length, 8],
      call: (i) => search(`"${pick(words.phrases, i)}"`),
      agrees: hasResults,
    },
    {
      id: 'search_typo',
      title: 'search with a typo',
      calls: [words.misspelt.length, 16],
      call: (i) => search(pick(words.misspelt, i).typed),
      floor: (i) => match([pick(words.misspelt, i).meant]),
      agrees: hasResults,
    },
    { id: 'schema', title: 'schema()', calls: [30, 60], call: () => ({ name: 'schema', arguments: {} }) },
    {
      id: 'schema_stream',
      title: 'schema(stream)',
      calls: [60, 120],
      call: () => ({ name: 'schema', arguments: transactions }),
    },
    {
      id: 'list',
      title: 'tools/list',
      calls: LIGHT,
      call: () => 'tools/list',
      floor: () => ({ op: 'list', values: [] }),
    },
  ];
}

/** Whether a call is cheap: such calls are also measured with 64 connections and with requests of 2025. */
export function isLight({ calls }: Case): boolean {
  return calls[1] > 100;
}

export function findCase(cases: readonly Case[], id: string): Case {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return found;
}

function queryRecords(args: object): ToolCall {
  return { name: 'query_records', arguments: { ...transactions, ...args } };
}

/** The budget may end a page early, so the answer is a beginning of the floor's page. */
function samePage(answer: Answer, rows: Answer): boolean {
  const keys = answer.data.map((row: Answer) => row.id.split('/').at(-1));
  return (
    keys.length > 0 &&
    isDeepStrictEqual(
      keys,
      rows.slice(0, keys.length).map((row: Answer) => encodeURIComponent(row.key)),
    )
  );
}

/** Months without records are left out of the answer. Sums are rounded to what a person would write down. */
function sameValues(answer: Answer, values: Answer): boolean {
  const shown = answer.data.groups.map((group: Answer) => Number(group.value));
  const expected = (values as number[]).filter((value) => value !== 0);
  return (
    shown.length === expected.length &&
    shown.every((value: number, at: number) => Math.abs(value - (expected[at] as number)) < 0.01)
  );
}

/** Values that fetch shows as they are; moments it shows by the owner's clock. */
function plainTexts(data: Record<string, unknown>): string[] {
  return Object.values(data).filter(
    (value): value is string =>
      typeof value === 'string' && /^[\w .:-]{1,60}$/.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value),
  );
}

function hasResults(answer: Answer): boolean {
  return answer.results.length > 0;
}

/** Records from all over three large streams. */
function pickRecords(db: Database.Database): { id: string; streamId: number; key: string }[] {
  const streams = [
    ['bank_checking', 'transactions'],
    ['gmail_personal', 'messages'],
    ['slack_work', 'messages'],
  ] as const;
  const picked = streams.map(([connection, stream]) => {
    const { stream_id } = getStream(db, connection, stream);
    const keys = db
      .prepare('select key from facets where stream_id = ? order by t, key')
      .pluck()
      .all(stream_id) as string[];
    const step = keys.length / KEYS;
    return Array.from({ length: KEYS }, (_, at) => {
      const key = keys[Math.floor(at * step)] as string;
      return { id: `${connection}/${stream}/${encodeURIComponent(key)}`, streamId: stream_id, key };
    });
  });
  // Alternates, so that consecutive calls read different streams.
  return Array.from({ length: KEYS }, (_, at) => picked.map((list) => list[at] as (typeof list)[0])).flat();
}
