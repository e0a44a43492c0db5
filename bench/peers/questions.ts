import type Database from 'better-sqlite3';
import { type Case, createCases, findCase } from '../cases.ts';
import type { FloorCall } from '../floor.ts';
import type { Call, ToolCall } from '../requests.ts';
import { pickWords } from '../words.ts';
import { TRANSACTIONS, tableOf } from './export-tables.ts';

/** The same question as a tool call of ours, as SQL for a peer, and as a call of the bare route. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly call: (index: number) => Call;
  /** Undefined for `tools/list`. */
  readonly sql: ((index: number) => string) | undefined;
  readonly floor: (index: number) => FloorCall;
  /** Takes so long that 64 at a time would tell only how long a queue is. */
  readonly isSlow?: boolean;
}

/** Two words that occur together in records are asked for only if the FTS5 table finds them as well. */
export function createQuestions(db: Database.Database, tables: Database.Database): Question[] {
  const cases = createCases(db);
  const from = (id: string, title: string, sql: Question['sql']): Question => {
    const { call, floor } = findCase(cases, id) as Required<Case>;
    return { id, title, call, floor, sql };
  };
  const argumentsOf = (id: string, index: number) => (findCase(cases, id).call(index) as ToolCall).arguments;
  const isFound = tables.prepare('select 1 from texts where texts match ? limit 1').pluck();
  const pairs = pickWords(db)
    .ordinary.filter((words) => words.length === 2)
    .map(joinWords)
    .filter((pair) => isFound.get(pair.match) !== undefined);
  const pairAt = (index: number) => pairs[index % pairs.length] as (typeof pairs)[0];
  return [
    from('fetch', 'fetch one record', (index) => {
      const { id } = argumentsOf('fetch', index) as { id: string };
      const [connection = '', stream = '', key = ''] = id.split('/');
      return `select * from ${tableOf(connection, stream)} where key = ${quote(decodeURIComponent(key))}`;
    }),
    from('newest', 'newest 25', () => `select * from ${TRANSACTIONS} order by date desc, key desc limit 25`),
    from('filtered', 'filtered 25', (index) => {
      const { filter } = argumentsOf('filtered', index) as { filter: { category: string } };
      return `select * from ${TRANSACTIONS} where category = ${quote(filter.category)} order by date desc, key desc limit 25`;
    }),
    from(
      'months',
      'count by month',
      () =>
        `select substr(date, 1, 7) month, count(*) n from ${TRANSACTIONS} group by 1 order by 1 desc limit 20`,
    ),
    {
      ...from(
        'top',
        'sum by merchant, top 10',
        () =>
          `select merchant, sum(amount) total from ${TRANSACTIONS} group by 1 order by 2 desc, 1 limit 10`,
      ),
      isSlow: true,
    },
    {
      id: 'search',
      title: 'search for two words',
      call: (index) => ({ name: 'search', arguments: { query: pairAt(index).words } }),
      floor: (index) => ({ op: 'match', values: [pairAt(index).match] }),
      sql: (index) =>
        `select source, key, snippet(texts, 2, '', '', '…', 30) text from texts where texts match ${quote(pairAt(index).match)} order by rank limit 10`,
    },
    from('list', 'tools/list', undefined),
  ];
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

function joinWords(words: readonly string[]): { words: string; match: string } {
  return { words: words.join(' '), match: words.map((word) => `"${word}"`).join(' AND ') };
}
