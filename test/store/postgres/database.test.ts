import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Connections, createConnections } from '../../../src/store/postgres/connections.ts';
import { type Databases, openDatabases, type Queries } from '../../../src/store/postgres/database.ts';
import { migrate, readVersion, SCHEMA_VERSION } from '../../../src/store/postgres/migrations.ts';
import { addOwner } from '../../../src/store/postgres/owners.ts';
import { compile, sql } from '../../../src/store/postgres/sql.ts';
import { compareText } from '../../../src/store/values.ts';
import { createTestDatabase, testSettings, useSharedDatabase } from '../../support/postgres/databases.ts';

const AT = '2026-11-18T00:00:00.000Z';
const setting = (queries: Queries, ownerId: number, name: string, value: string) =>
  queries.run(sql`insert into settings values (${ownerId}, ${name}, ${value})`);
const list = (queries: Queries) =>
  queries.query<{ name: string; value: string }>(sql`select name, value from settings order by name`);

describe('sql', () => {
  it('numbers the values of nested parts in order', () => {
    const part = sql`b = ${2} and c = ${'x'}`;
    const { text, values } = compile(
      sql`select ${1} where ${sql.raw('a')} and ${part} or ${part} limit ${3}`,
    );
    expect(text).toBe('select $1 where a and b = $2 and c = $3 or b = $4 and c = $5 limit $6');
    expect(values).toEqual([1, 2, 'x', 2, 'x', 3]);
    expect(compile(sql.join([sql`${1}`, sql`${[2]}`, sql`d`]))).toEqual({
      text: '$1, $2, d',
      values: [1, [2]],
    });
    expect(compile(sql.join([])).text).toBe('');
  });
});

describe('a PostgreSQL database', () => {
  let connections: Connections;
  let ownerId: number;
  let db: Databases;
  beforeAll(async () => {
    connections = await useSharedDatabase();
    ownerId = await addOwner(connections, randomUUID(), AT);
    db = openDatabases(connections, ownerId);
  });

  it('returns every text as it was, in the order of code points', async () => {
    const characters = [
      '\0',
      '\u0001',
      '\u0002',
      '\u0003',
      'a',
      'é',
      '\ud83d\ude00',
      '\uffff',
      '"',
      '\\',
      ',',
      '{',
      'NULL',
    ];
    const texts = characters.flatMap((a) => ['', ...characters].map((b) => a + b));
    const rows = await db.reads.query<{ text: string; again: string[] }>(sql`
      select text, array[text, null] as again from unnest(${texts}::text[]) text order by text collate "C"`);
    expect(rows.map(({ text }) => text)).toEqual([...texts].sort(compareText));
    expect(rows.map(({ again }) => again)).toEqual(rows.map(({ text }) => [text, null]));
    expect(await db.reads.query(sql`select ${'a\0b'}::text as text`)).toEqual([{ text: 'a\0b' }]);
  });

  it('returns integers as numbers while they are exact', async () => {
    const rows = await db.reads.query(sql`
      select 9007199254740991::int8 as safe, ${9007199254740993n}::int8 as big, ${[1, 2n ** 62n]}::int8[] as list,
        0.1::float8 as near, 1.50::numeric as exact, ${Buffer.from([0, 255])}::bytea as bytes, true as flag`);
    expect(rows).toEqual([
      {
        safe: 9007199254740991,
        big: 9007199254740993n,
        list: [1, 2n ** 62n],
        near: 0.1,
        exact: '1.50',
        bytes: Buffer.from([0, 255]),
        flag: true,
      },
    ]);
  });

  it('shows one owner nothing of another, also to a statement that names none', async () => {
    const otherId = await addOwner(connections, randomUUID(), AT);
    const other = openDatabases(connections, otherId);
    await setting(db.writes, ownerId, 'mine', '1');
    await setting(other.writes, otherId, 'theirs', '2');
    expect(await list(db.reads)).toEqual([{ name: 'mine', value: '1' }]);
    expect(await list(other.reads)).toEqual([{ name: 'theirs', value: '2' }]);
    await expect(setting(db.writes, otherId, 'forged', '3')).rejects.toMatchObject({
      cause: { code: '42501' },
    });
    expect(await db.writes.run(sql`update settings set value = 'x' where owner_id = ${otherId}`)).toBe(0);
    const nobody = openDatabases(connections, 0);
    expect(await list(nobody.reads)).toEqual([]);
  });

  it('writes nothing in a snapshot', async () => {
    for (const table of ['records', 'grants', 'tokens', 'counters'])
      await expect(
        db.reads.snapshot((queries) => queries.run(sql`delete from ${sql.raw(table)}`)),
      ).rejects.toThrow('accepts no changes');
    const [seq] = await db.reads.query(sql`select value from counters
      where owner_id = ${ownerId} and name = 'seq'`);
    expect(seq).toBeDefined();
  });

  it('reads one snapshot while others write', async () => {
    const [before, after] = await db.reads.snapshot(async (queries) => {
      const first = await list(queries);
      await setting(db.writes, ownerId, 'later', '1');
      return [first, await list(queries)];
    });
    expect(after).toEqual(before);
    expect(await list(db.reads)).not.toEqual(before);
  });

  it('inserts rows by column', async () => {
    const values = Array.from({ length: 1_000 }, (_, i) => `k${String(i).padStart(4, '0')}\0"{},\\`);
    await db.writes.transact((queries) =>
      queries.copyRows('settings', { name: { type: 'text', values }, value: { type: 'text', values } }),
    );
    const rows = await db.reads.query<{ value: string }>(
      sql`select value from settings where name like 'k%' order by name`,
    );
    expect(rows.map(({ value }) => value)).toEqual(values);
    await db.writes.copyRows('settings', {
      name: { type: 'text', values: [] },
      value: { type: 'text', values: [] },
    });
  });

  it('rolls back when a statement failed, even if the error was caught', async () => {
    const outcome = db.writes.transact(async (queries) => {
      await setting(queries, ownerId, 'lost', '1');
      await queries.run(sql`select 1 / ${0}::int4`).catch(() => {});
    });
    await expect(outcome).rejects.toThrow('rolled back');
    expect((await list(db.reads)).map(({ name }) => name)).not.toContain('lost');
    expect(await db.reads.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it('takes the lock of a late transaction with its first write', async () => {
    const steps: string[] = [];
    await db.writes.begin(async () => {
      await list(db.writes);
      await Promise.race([
        db.writes.begin(async () => void steps.push('another'), 'now'),
        new Promise((resolve) => setTimeout(resolve, 5_000)),
      ]).catch((error) => steps.push(String(error)));
    }, 'first write');
    expect(steps).toEqual(['Error: A transaction was begun inside another.']);
  });

  it('lets many transactions read beside themselves without running out of connections', async () => {
    const count = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        db.writes.begin(
          async () => {
            await setting(db.writes, ownerId, `many${i}`, '1');
            return (await list(db.reads)).length;
          },
          i % 2 === 0 ? 'now' : 'first write',
        ),
      ),
    );
    expect([...count].sort((a, b) => a - b)).toEqual(count);
  });

  it('works behind a pooler that changes the connection with each transaction', async () => {
    const pooled = createConnections({ ...connections.settings, poolSize: 2, pooler: 'transaction' });
    const pooledId = await addOwner(pooled, randomUUID(), AT);
    const { reads, writes } = openDatabases(pooled, pooledId);
    await writes.transact((queries) => setting(queries, pooledId, 'a', '1'));
    await setting(writes, pooledId, 'b', '2');
    expect(await list(reads)).toHaveLength(2);
    expect(await reads.snapshot(list)).toHaveLength(2);
    expect(await list(openDatabases(pooled, 0).reads)).toEqual([]);
    await expect(reads.query(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
    expect(await list(reads)).toHaveLength(2);
    await pooled.close();
  });
});

describe('migrations', () => {
  it('run once, however many processes start at the same time', async () => {
    const url = await createTestDatabase();
    const processes = Array.from({ length: 4 }, () => createConnections({ ...testSettings, url }));
    await Promise.all(processes.map((one) => one.withConnection('transactions', 0, migrate)));
    const versions = await Promise.all(processes.map((one) => one.withConnection('calls', 0, readVersion)));
    expect(versions.map((found) => found?.version)).toEqual(processes.map(() => SCHEMA_VERSION));
    await Promise.all(processes.map((one) => one.close()));
  });
});
