import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { throwIfAborted } from '../../limits/call-context.ts';
import { isLost, isReadOnly, toPostgresError } from './failures.ts';
import { toParameter } from './servers/parameters.ts';
import { createPools, type Pools, type PoolUse } from './servers/pools.ts';
import { Replica } from './servers/replica.ts';
import { withTimeout } from './servers/with-timeout.ts';
import type { Statement } from './sql.ts';

/** How the program connects to PostgreSQL. */
export interface ConnectionSettings {
  /** It may name several servers, of which the one that accepts changes is used. */
  readonly url: string;
  /** A streaming replica that may answer reads. */
  readonly replicaUrl?: string | undefined;
  /** Connections of this process to the primary server. */
  readonly poolSize: number;
  /** After this time PostgreSQL ends a statement that reads. */
  readonly statementTimeoutMs: number;
  /** `transaction` if a pooler gives every transaction another connection, as PgBouncer can. */
  readonly pooler: 'none' | 'transaction';
}

/** Reads and single writes never wait for a transaction, which may itself wait for a read: each kind has its own pool. */
export interface Connections {
  readonly settings: ConnectionSettings;
  /** Undefined if there is none. */
  readonly replica: Replica | undefined;
  /** Takes a connection that is bound to an owner, for the length of the work. */
  withConnection<T>(use: PoolUse, ownerId: number, work: (connection: Connection) => Promise<T>): Promise<T>;
  readonly count: Pools['count'];
  close(): Promise<void>;
}

/** One connection. Statements run in the order of the calls, and are sent without waiting for earlier ones. */
export interface Connection {
  run(statement: Statement): Promise<{ readonly rows: object[]; readonly count: number }>;
  /** Sends a command without parameters. Returns what PostgreSQL says that it did. */
  send(command: string): Promise<string>;
}

/** How much later than PostgreSQL the program gives up on a statement. A server that froze ends none itself. */
const GRACE_MS = 2_000;

/** Texts of statements that are prepared on each connection. Later ones are parsed at each use. */
const MAX_PREPARED = 500;

/** Connects when the first statement runs. */
export function createConnections(
  settings: ConnectionSettings,
  warn: (message: string) => void = () => {},
): Connections {
  const pools: Pools = createPools(settings, async (client) => replica?.check(client));
  const replica =
    settings.replicaUrl === undefined
      ? undefined
      : new Replica({
          connectPrimary: () => pools.connect('calls'),
          connectReplica: () => pools.connect('replica'),
          warn,
        });
  const nameOf = settings.pooler === 'none' ? createNames() : () => undefined;
  /** The owner that each client is bound to. The pool drops clients without a notice. */
  const owners = new WeakMap<PoolClient, number>();

  const bind = async (client: PoolClient, ownerId: number) => {
    if (settings.pooler === 'transaction' || owners.get(client) === ownerId) return;
    await client.query(bindOwner(ownerId, settings.statementTimeoutMs, 'session'));
    owners.set(client, ownerId);
  };
  return {
    settings,
    replica,
    async withConnection(use, ownerId, work) {
      const client = await pools.connect(use).catch(rethrow);
      let broken: unknown;
      const note = (error: unknown) => {
        broken ??= error;
      };
      client.on('error', note);
      try {
        // Transactions have no statement timeout, and all reads of a replica have one together.
        const limit = <T>(sent: Promise<T>) => (use === 'calls' ? limitWait(settings, sent) : sent);
        const connection = createConnection(client, nameOf, limit);
        const done = limitWait(settings, bind(client, ownerId)).then(() => work(connection), rethrow);
        // The primary answers what the replica does not: half of the time of a read is left for it.
        return await (use === 'replica' ? withTimeout(settings.statementTimeoutMs / 2, done) : done);
      } catch (error) {
        if (isReadOnly(error) || isLost(error)) note(error);
        throw error;
      } finally {
        client.removeListener('error', note);
        // A connection inside of a transaction is closed, which rolls the transaction back.
        client.release(broken !== undefined || client.getTransactionStatus() !== 'I');
      }
    },
    count: pools.count,
    async close() {
      replica?.close();
      await pools.close();
    },
  };
}

/** Returns the statements that bind a connection to an owner: row-level security shows it the rows of this owner only. */
export function bindOwner(
  ownerId: number,
  statementTimeoutMs: number,
  during: 'session' | 'transaction',
): string {
  const isLocal = during === 'transaction';
  return `select set_config('pdpp.owner_id', '${Number(ownerId)}', ${isLocal}),
    set_config('statement_timeout', '${Number(statementTimeoutMs)}', ${isLocal})`;
}

/** Rejects if the server does not answer a statement that takes no longer than the statement timeout. */
export async function limitWait<T>({ statementTimeoutMs }: ConnectionSettings, sent: Promise<T>): Promise<T> {
  if (statementTimeoutMs === 0) return sent;
  return withTimeout(statementTimeoutMs + GRACE_MS, sent).catch(rethrow);
}

function createConnection(
  client: PoolClient,
  nameOf: (text: string) => string | undefined,
  limit: <T>(sent: Promise<T>) => Promise<T>,
): Connection {
  return {
    async run({ text, values }) {
      throwIfAborted();
      const name = nameOf(text);
      const query = { ...(name === undefined ? {} : { name }), text, values: values.map(toParameter) };
      const { rows, rowCount } = await limit(client.query(query)).catch(rethrow);
      return { rows, count: rowCount ?? 0 };
    },
    async send(text) {
      const { command } = await limit(client.query(text)).catch(rethrow);
      return command;
    },
  };
}

function rethrow(error: unknown): never {
  throw toPostgresError(error);
}

/** Returns a function that names the texts of statements, so that each connection prepares them once. */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
}
