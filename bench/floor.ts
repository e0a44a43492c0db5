import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { toolList } from '../src/http/mcp/tool-list.ts';
import { openSqlite } from '../src/store/sqlite/sqlite.ts';
import { lastEdges } from '../src/time/time-buckets.ts';

/** One piece of SQL by name, with its values: what a tool call comes to when nothing but the database is asked. */
export interface FloorCall {
  readonly op: 'list' | 'fetch' | 'filtered' | 'newest' | 'months' | 'monthly_sum' | 'top' | 'match';
  readonly values: readonly (string | number)[];
}

export type Floor = (call: FloorCall) => unknown;

const PAGE = 25;
const MONTHS = 20;
const CANDIDATES = 300;
const DAY = 86_400_000;

export interface StreamRow {
  stream_id: number;
  connection_id: string;
  stream: string;
  plan: string;
}

export function openFloor(directory: string): Database.Database {
  return openSqlite(join(directory, 'store.sqlite'), 'read');
}

export function getStream(db: Database.Database, connection: string, stream: string): StreamRow {
  const row = db
    .prepare('select * from streams where connection_id = ? and stream = ?')
    .get(connection, stream) as StreamRow | undefined;
  if (row === undefined) throw new Error(`the store has no ${connection}/${stream}`);
  return row;
}

/**
 * The least work that answers each call, over bank transactions where one stream is meant. The filtered page
 * names its index, so that a plan the server gets wrong shows up in the ratio instead of on both sides.
 */
export function createFloor(db: Database.Database): Floor {
  const { stream_id: id, plan } = getStream(db, 'bank_checking', 'transactions');
  const { slots } = JSON.parse(plan) as { slots: Record<string, number> };
  const slot = (field: string) => `s${slots[field]}`;
  const index = `facets_${slot('category')}`;
  const hasIndex = db.prepare(`select 1 from sqlite_master where type = 'index' and name = ?`).get(index);
  const page = (hint: string, where: string) =>
    db.prepare(`select f.t, r.key, r.data from facets f ${hint} join records r on r.rid = f.rid
      where f.stream_id = ${id} ${where} order by f.t desc, f.key desc limit ${PAGE}`);

  const fetch = db.prepare('select data from records where stream_id = ? and key = ?');
  const filtered = page(hasIndex ? `indexed by ${index}` : '', `and f.${slot('category')} = ?`);
  const newest = page('', '');
  const span = db.prepare(
    `select (select min(t) from facets where stream_id = ${id} and t > 0) first, (select max(t) from facets where stream_id = ${id}) last`,
  );
  const days = db
    .prepare(`select coalesce(sum(n), 0) from days where stream_id = ${id} and day >= ? and day < ?`)
    .pluck();
  const stretch = db
    .prepare(`select total(${slot('amount')}) from facets where stream_id = ${id} and t >= ? and t < ?`)
    .pluck();
  const top = db.prepare(`select ${slot('merchant')} name, total(${slot('amount')}) value, count(*) n
    from facets where stream_id = ${id} group by 1 order by 2 desc, 1 limit 10`);
  const match = db.prepare(`select r.key, r.data from texts x join records r on r.rid = x.rowid
    where x.texts match ? order by x.rowid desc limit ${CANDIDATES}`);

  /** A bank's day has no clock, so its months begin at midnight UTC and days add up to them. */
  const perMonth = (read: (from: number, to: number) => unknown) => {
    const { first, last } = span.get() as { first: number; last: number };
    const edges = lastEdges(first, last, 'month', 'UTC', MONTHS);
    return edges.slice(1).map((to, at) => read(edges[at] as number, to));
  };

  return ({ op, values }) => {
    switch (op) {
      case 'list':
        return toolList;
      case 'fetch':
        return parseRows(fetch.all(...values));
      case 'filtered':
        return parseRows(filtered.all(...values));
      case 'newest':
        return parseRows(newest.all());
      case 'months':
        return perMonth((from, to) => days.get(from / DAY, to / DAY));
      case 'monthly_sum':
        return perMonth((from, to) => stretch.get(from, to));
      case 'top':
        return top.all();
      case 'match':
        return parseRows(match.all(...values));
    }
  };
}

function parseRows(rows: unknown[]): unknown[] {
  return (rows as { key?: string; data: string }[]).map((row) => ({ ...row, data: JSON.parse(row.data) }));
}
