import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Connections } from './connections.ts';
import { runTransaction } from './run.ts';
import { compile, type Sql, sql } from './sql.ts';

/** After this time no process serves the owner any more: see HOST_CACHE_MS of the server. */
const CLOSE_MS = 1_000;

/**
 * Deletes all rows of an owner who is not served any more, and then the owner. Returns the number of records. The counters
 * go first: without them no process can begin a transaction for the owner.
 */
export async function eraseOwner(connections: Connections, ownerId: number): Promise<number> {
  const inTransaction = <T>(work: (connection: Connection) => Promise<T>) =>
    runTransaction(connections, ownerId, 'write', work);
  const erase = (table: string) =>
    inTransaction((connection) =>
      count(connection, sql`delete from ${sql.raw(table)} where owner_id = ${ownerId}`),
    );
  await erase('counters');
  await sleep(CLOSE_MS);
  const tables = await inTransaction(listTables);
  let records = 0;
  for (const table of tables) {
    const erased = await erase(table);
    if (table === 'records') records = erased;
  }
  await inTransaction(async (connection) => {
    // A read that began before the removal may have written to the audit meanwhile.
    for (const table of tables)
      await count(connection, sql`delete from ${sql.raw(table)} where owner_id = ${ownerId}`);
    await count(connection, sql`delete from owners where owner_id = ${ownerId}`);
  });
  return records;
}

/** Lists the tables with rows of owners, each before the tables that it refers to. */
async function listTables(connection: Connection): Promise<string[]> {
  const { rows } = await connection.run(
    compile(sql`
      select c.relname as name, array(
        select t.relname::text from pg_constraint f join pg_class t on t.oid = f.conrelid
        where f.confrelid = c.oid and f.contype = 'f' and t.oid <> c.oid
      ) as "referredToBy"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner_id'
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'owners'
      order by c.relname`),
  );
  const left = new Map(rows.map((row) => [(row as Table).name, (row as Table).referredToBy]));
  const sorted: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter(([, others]) => others.every((other) => !left.has(other)));
    if (free.length === 0) throw new Error('The tables refer to each other in a circle.');
    for (const [name] of free) {
      sorted.push(name);
      left.delete(name);
    }
  }
  return sorted;
}

interface Table {
  readonly name: string;
  readonly referredToBy: readonly string[];
}

async function count(connection: Connection, statement: Sql): Promise<number> {
  return (await connection.run(compile(statement))).count;
}
