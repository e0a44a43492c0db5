import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { command, hint } from '../../text/hint.ts';
import {
  type HostedOwner,
  hostTaken,
  nameTaken,
  type OwnerList,
  ownerUnknown,
} from '../owners/owner-list.ts';
import type { Connections } from './connections.ts';
import { addHostedOwner } from './owners.ts';
import { eraseOwner } from './remove-owner.ts';
import { runAlone } from './run.ts';
import { compile, type Sql, sql } from './sql.ts';

export interface OwnerListOptions {
  /** The folder of this process. Uploads of each owner have a folder in it. */
  readonly directory: string;
  /** The secret of the deployment. */
  readonly secret: Uint8Array;
}

interface Row {
  readonly name: string;
  readonly host: string;
  readonly createdAt: string;
}

const hosted = sql`select name, host, created_at as "createdAt" from owners
  where host is not null and removed_at is null`;

/** Returns the owners in the table `owners` that have a host. */
export function createOwnerList(
  connections: Connections,
  { directory, secret }: OwnerListOptions,
): OwnerList {
  const query = async <R extends object>(statement: Sql) =>
    (await runAlone(connections, 0, compile(statement))).rows as R[];
  const read = async (statement: Sql): Promise<HostedOwner[]> =>
    (await query<Row>(statement)).map((row) => ({ ...row, folder: join(directory, 'owners', row.name) }));
  const explainConflict = async (name: string): Promise<AppError> => {
    const [row] = await query<{ isRemoved: boolean }>(
      sql`select removed_at is not null as "isRemoved" from owners where name = ${name}`,
    );
    if (row?.isRemoved) return removalUnfinished(name);
    return row === undefined ? hostTaken() : nameTaken();
  };
  const find = async (name: string) => (await read(sql`${hosted} and name = ${name}`))[0];
  return {
    list: () => read(sql`${hosted} order by name`),
    find,
    findByHosts: (hosts) => read(sql`${hosted} and host = any(${hosts}::text[])`),
    async add({ name, host, folder }, at) {
      if (folder !== undefined)
        throw new AppError('invalid_argument', 'On PostgreSQL an owner has no folder.', {
          hint: 'Leave --folder out.',
        });
      const owner = { name, host, createdAt: at.toISOString(), secret: randomBytes(32) };
      if (!(await addHostedOwner(connections, owner, secret))) throw await explainConflict(name);
      return (await find(name)) as HostedOwner;
    },
    async remove(name, at) {
      const [row] = await query<{ owner_id: number }>(
        sql`update owners set host = null, removed_at = coalesce(removed_at, ${at.toISOString()})
          where name = ${name} and (host is not null or removed_at is not null) returning owner_id`,
      );
      if (row === undefined) throw ownerUnknown();
      return { records: await eraseOwner(connections, row.owner_id) };
    },
  };
}

/** The command that removed the owner was interrupted. */
function removalUnfinished(name: string): AppError {
  return new AppError('conflict', 'An owner with this name is still being removed.', {
    hint: hint`Finish the removal first: ${command('owner remove', `${name} --yes`)}`,
  });
}
