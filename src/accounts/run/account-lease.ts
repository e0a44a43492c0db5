import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';

/** The lease of a process that has died expires after this time. */
const LEASE_MS = MINUTE_MS;
const RENEWAL_MS = 15_000;

/** Another run holds the account. This process was frozen, or could not reach the database, for longer than a lease lasts. */
export class LeaseLost extends Error {}

/**
 * Reserves an account for one run at a time. A run that has lost its lease can store nothing more, because each of its
 * transactions checks the lease.
 */
export class AccountLease {
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
  readonly #store: Store;
  readonly #accountId: string;
  readonly #now: () => Date;
  readonly #controller = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  /** The expiry of the lease. During a renewal, and if its outcome is unknown, also the new expiry. */
  #until: readonly string[];

  private constructor(store: Store, accountId: string, now: () => Date, until: string) {
    [this.#store, this.#accountId, this.#now, this.#until] = [store, accountId, now, [until]];
    this.lost = this.#controller.signal;
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEWAL_MS);
    this.#renewal.unref();
  }

  /** Holds the account, unless another run does. */
  static async take(store: Store, accountId: string, now: () => Date): Promise<AccountLease | undefined> {
    const until = expiryFrom(now());
    const isTaken = await store.write.accounts.claim(accountId, now().toISOString(), until);
    return isTaken ? new AccountLease(store, accountId, now, until) : undefined;
  }

  /** Throws LeaseLost if another run holds the account. No other run can take it before the current transaction ends. */
  async check(): Promise<void> {
    const row = await this.#store.write.accounts.lock(this.#accountId);
    if (row !== undefined && !this.#until.includes(row.running_until ?? '')) throw this.#lose();
  }

  async release(): Promise<void> {
    clearInterval(this.#renewal);
    // A lease that cannot be released now expires.
    await this.#store.write.accounts.renewClaim(this.#accountId, this.#until, null).catch(() => {});
  }

  async #renew(): Promise<void> {
    const until = expiryFrom(this.#now());
    const held = this.#until;
    this.#until = [...held, until];
    if (await this.#store.write.accounts.renewClaim(this.#accountId, held, until)) this.#until = [until];
    else this.#lose();
  }

  #lose(): LeaseLost {
    this.#controller.abort();
    return new LeaseLost('Another run holds the account.');
  }
}

function expiryFrom(now: Date): string {
  return new Date(now.getTime() + LEASE_MS).toISOString();
}
