import type { Queries } from './database.ts';
import { sql } from './sql.ts';

export async function readSetting(db: Queries, ownerId: number, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>(
    sql`select value from settings where owner_id = ${ownerId} and name = ${name}`,
  );
  return row?.value;
}

export async function writeSetting(db: Queries, ownerId: number, name: string, value: string): Promise<void> {
  await db.run(sql`insert into settings values (${ownerId}, ${name}, ${value})
    on conflict (owner_id, name) do update set value = excluded.value`);
}
