import { wrapSecret } from '../../secrets/wrap-secret.ts';
import { MAIN_OWNER } from '../owners/owner-list.ts';
import { bindOwner, type Connection, type Connections } from './connections.ts';
import { compile, type Sql, sql } from './sql.ts';

/** The owner of a deployment that serves one person. */
export const DEFAULT_OWNER = MAIN_OWNER;

/** The setting with the encrypted secret of an owner. The main owner has that of the deployment. */
export const WRAPPED_SECRET_SETTING = 'owner_secret';

/** Numbers that start at 0 for each owner. */
const counters = ['seq', 'catalog', 'import', 'audit', 'events'];

/** Returns the number of an owner, who is added if there is none of this name. */
export function addOwner(connections: Connections, name: string, at: string): Promise<number> {
  return connections.withConnection('transactions', 0, async (connection) => {
    const known = await findOwner(connection, name);
    if (known !== undefined) return known;
    // Another process that adds the same owner waits for this transaction.
    await connection.send('begin');
    await run(
      connection,
      sql`insert into owners (name, created_at) values (${name}, ${at}) on conflict do nothing`,
    );
    const ownerId = (await findOwner(connection, name)) as number;
    await addCounters(connection, ownerId);
    await connection.send('commit');
    return ownerId;
  });
}

/** An owner with a host, and with a secret that is stored encrypted. */
export interface NewOwner {
  readonly name: string;
  readonly host: string;
  readonly createdAt: string;
  readonly secret: Uint8Array;
}

/** Adds an owner with a host. Returns whether both the name and the host were free. */
export function addHostedOwner(
  connections: Connections,
  { name, host, createdAt, secret }: NewOwner,
  master: Uint8Array,
): Promise<boolean> {
  return connections.withConnection('transactions', 0, async (connection) => {
    await connection.send('begin');
    const added = await run<{ owner_id: number }>(
      connection,
      sql`insert into owners (name, created_at, host) values (${name}, ${createdAt}, ${host})
        on conflict do nothing returning owner_id`,
    );
    const ownerId = added[0]?.owner_id;
    if (ownerId !== undefined) {
      await addCounters(connection, ownerId);
      const wrapped = wrapSecret(secret, master, ownerId);
      await run(
        connection,
        sql`insert into settings values (${ownerId}, ${WRAPPED_SECRET_SETTING}, ${wrapped})`,
      );
    }
    await connection.send('commit');
    return ownerId !== undefined;
  });
}

/** Binds the transaction to the owner, because row-level security hides and refuses the rows of others. */
async function addCounters(connection: Connection, ownerId: number): Promise<void> {
  await connection.send(bindOwner(ownerId, 0, 'transaction'));
  await run(
    connection,
    sql`insert into counters (owner_id, name, value)
      select ${ownerId}::int4, name, 0 from unnest(${counters}::text[]) name on conflict do nothing`,
  );
}

/** Returns the number of an owner. */
export async function findOwner(connection: Connection, name: string): Promise<number | undefined> {
  const rows = await run<{ owner_id: number }>(
    connection,
    sql`select owner_id from owners where name = ${name}`,
  );
  return rows[0]?.owner_id;
}

async function run<Row extends object>(connection: Connection, statement: Sql): Promise<Row[]> {
  return (await connection.run(compile(statement))).rows as Row[];
}
