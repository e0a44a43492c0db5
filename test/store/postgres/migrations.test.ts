import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connections, createConnections } from '../../../src/store/postgres/connections.ts';
import { type Migration, migrate, migrations, readVersion } from '../../../src/store/postgres/migrations.ts';
import { createTestDatabase, runAsAdmin, testSettings } from '../../support/postgres/databases.ts';

/** A connection to a database, with as many migrations as given. */
async function open(url?: string, count = 0): Promise<Connections & { readonly url: string }> {
  const address = url ?? (await createTestDatabase());
  const connections = createConnections({ ...testSettings, url: address, poolSize: 4 });
  onTestFinished(() => connections.close());
  await run(connections, migrations.slice(0, count));
  return { ...connections, url: address };
}

const run = (connections: Connections, list: readonly Migration[]) =>
  connections.withConnection('transactions', 0, (connection) => migrate(connection, list));

/** Describes what a program relies on, by name: columns, and the rules for rows. */
async function describeSchema(connections: Connections): Promise<Map<string, string>> {
  const text = `
    select table_name || '.' || column_name as name, data_type || ' ' || is_nullable || ' '
      || coalesce(column_default, '') || ' ' || coalesce(collation_name, '') || ' ' || is_identity as rule
    from information_schema.columns where table_schema = current_schema()
    union all
    select conrelid::regclass || ' ' || conname, (select string_agg(attname, ',') from pg_attribute
      where attrelid = conrelid and attnum = any(conkey)) || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'f', 'c')
    union all
    select tablename || ' ' || policyname, qual from pg_policies where schemaname = current_schema()`;
  const { rows } = await connections.withConnection('calls', 0, (connection) =>
    connection.run({ text, values: [] }),
  );
  return new Map((rows as { name: string; rule: string }[]).map(({ name, rule }) => [name, rule]));
}

/** Lists what would break a program that was written for the schema before. */
function findBreaks(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split(/[. ]/)[0]));
  const changed = [...before].filter(([name, rule]) => after.get(name) !== rule).map(([name]) => name);
  const added = [...after].filter(([name]) => !before.has(name));
  const demanding = added.filter(([name, rule]) => {
    const [table = ''] = name.split(/[. ]/);
    if (!tables.has(table)) return false;
    // A column that old programs do not fill, or a rule for columns that they do fill.
    if (name.includes('.')) return / NO {2}/.test(rule) && !rule.endsWith('YES');
    const columns = rule.split(' ')[0]?.split(',') ?? [];
    return !/ NOT NULL /.test(rule) && columns.some((column) => before.has(`${table}.${column}`));
  });
  return [...changed, ...demanding.map(([name]) => name)];
}

describe('migrations', () => {
  it('only add to what programs of the previous version rely on', async () => {
    const connections = await open(undefined, 1);
    for (let count = 2; count <= migrations.length; count++) {
      const before = await describeSchema(connections);
      await run(connections, migrations.slice(0, count));
      expect([count, findBreaks(before, await describeSchema(connections))]).toEqual([count, []]);
      expect(migrations[count - 1]?.worksSince, 'the previous version still works').toBeLessThan(count);
    }
  });

  it.each([
    ['alter table settings drop column value', 'settings.value'],
    ['alter table settings rename column value to worth', 'settings.value'],
    ['alter table counters alter column value type numeric', 'counters.value'],
    ['alter table settings add column more text not null', 'settings.more'],
    ['alter table settings add constraint short check (length(value) < 9)', 'settings short'],
    ['drop table pruned', 'pruned.log'],
  ])('would be noticed to break old programs: %s', async (text, broken) => {
    const connections = await open(undefined, 1);
    const before = await describeSchema(connections);
    await runAsAdmin(new URL(connections.url).pathname.slice(1), text);
    expect(findBreaks(before, await describeSchema(connections))).toContain(broken);
  });

  it.each([
    'alter table settings add column more text',
    "alter table settings add column more text not null default ''",
    'create table extra (owner_id integer not null, name text not null, primary key (owner_id, name))',
    'create index settings_value on settings (owner_id, value)',
  ])('may do this: %s', async (text) => {
    const connections = await open(undefined, 1);
    const before = await describeSchema(connections);
    await runAsAdmin(new URL(connections.url).pathname.slice(1), text);
    expect(findBreaks(before, await describeSchema(connections))).toEqual([]);
  });

  it('give way to statements of other processes that hold a lock, and try again', async () => {
    const holder = await open(undefined, migrations.length);
    const next = { text: 'alter table settings add column more text', worksSince: migrations.length };
    const other = await open(holder.url);
    let readMs = 0;
    let migrated: Promise<void> | undefined;
    await holder.withConnection('transactions', 0, async (connection) => {
      await connection.send('begin');
      await connection.send('lock table settings in access share mode');
      migrated = run(other, [...migrations, next]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const started = performance.now();
      await holder.withConnection('calls', 0, (reader) => reader.send('select * from settings'));
      readMs = performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await connection.send('commit');
    });
    await migrated;
    expect(readMs).toBeLessThan(1_500);
    const found = await other.withConnection('calls', 0, readVersion);
    expect(found).toEqual({ version: migrations.length + 1, worksSince: migrations.length });
  });

  it('remember the newest version that any of them needs', async () => {
    const connections = await open(undefined, migrations.length);
    const list = [
      ...migrations,
      { text: '', worksSince: migrations.length + 1 },
      { text: '', worksSince: 1 },
    ];
    await run(connections, list);
    const found = await connections.withConnection('calls', 0, readVersion);
    expect(found).toEqual({ version: list.length, worksSince: migrations.length + 1 });
  });
});
