import type { ClientBase, PoolClient } from 'pg';
import { unusable } from '../../failures.ts';
import { withTimeout } from './with-timeout.ts';

/** How long a replica that failed is left alone before it is asked again. */
const RETRY_MS = 1_000;
/** How long a server may take to say which database it has. */
const CHECK_TIMEOUT_MS = 1_000;

/** A physical replica has the number of its primary. */
const IDENTITY = `select system_identifier::text || ' ' || current_database() as identity from pg_control_system()`;

/** Connections of the two servers, outside of any owner. */
interface ReplicaDeps {
  readonly connectPrimary: () => Promise<PoolClient>;
  readonly connectReplica: () => Promise<PoolClient>;
  readonly warn: (message: string) => void;
}

/** Whether reads may use the replica. A replica that fails is left alone until a check in the background passes. */
export class Replica {
  readonly #deps: ReplicaDeps;
  #state: 'unknown' | 'checking' | 'used' | 'failed' = 'unknown';
  #isClosed = false;
  #identity: string | undefined;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
  }

  /** Returns whether a read may try the replica. */
  isUsable(): boolean {
    if (this.#state === 'unknown') void this.start().catch(() => {});
    return this.#state === 'used';
  }

  /** Connects for the first time. Throws if the server is no replica of the database. */
  async start(): Promise<void> {
    this.#state = 'checking';
    try {
      await this.#connect();
    } catch (error) {
      this.suspend();
      throw error;
    }
  }

  /** Leaves the replica alone for a while. */
  suspend(): void {
    if (this.#state === 'failed' || this.#isClosed) return;
    this.#state = 'failed';
    this.#deps.warn('The replica of the database does not answer. The primary server answers all reads.');
    this.#checkLater();
  }

  /** Throws if a connection leads to another database than that of the primary. */
  async check(client: ClientBase): Promise<void> {
    this.#identity ??= await this.#readPrimary();
    if ((await readIdentity(client)) !== this.#identity)
      throw unusable(
        'DATABASE_REPLICA_URL is the address of a different database than DATABASE_URL.',
        'Set it to the address of a streaming replica of the same database, or remove it.',
      );
  }

  close(): void {
    this.#isClosed = true;
  }

  #checkLater(): void {
    setTimeout(() => {
      if (this.#isClosed) return;
      this.#connect().then(
        () => this.#deps.warn('The replica of the database answers again.'),
        () => this.#checkLater(),
      );
    }, RETRY_MS).unref();
  }

  async #connect(): Promise<void> {
    const client = await this.#deps.connectReplica();
    try {
      // An idle connection may lead to a server that is gone by now.
      await readIdentity(client);
      this.#state = 'used';
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #readPrimary(): Promise<string> {
    const client = await this.#deps.connectPrimary();
    try {
      return await readIdentity(client);
    } finally {
      client.release();
    }
  }
}

async function readIdentity(client: ClientBase): Promise<string> {
  const { rows } = await withTimeout(CHECK_TIMEOUT_MS, client.query(IDENTITY));
  return String(rows[0]?.identity);
}
