import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';

/** The hold of a process that has died expires after this time. */
const HOLD_MS = MINUTE_MS;
const RENEWAL_MS = 15_000;

/** Another run holds the account. This process was frozen, or could not reach the database, for longer than a hold lasts. */
export class HoldLost extends Error {}

/**
 * Reserves an account for one run at a time. A run that has lost its hold can store nothing more, because each of its
 * transactions checks the hold.
 */
export class AccountHold {
  /** Aborted when the hold is lost. */
  readonly lost: AbortSignal;
  readonly #store: Store;
  readonly #accountId: string;
  readonly #now: () => Date;
  readonly #controller = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  /** The expiry of the hold. During a renewal, and if its outcome is unknown, also the new expiry. */
  #until: readonly string[];

  private constructor(store: Store, accountId: string, now: () => Date, until: string) {
    [this.#store, this.#accountId, this.#now, this.#until] = [store, accountId, now, [until]];
    this.lost = this.#controller.signal;
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEWAL_MS);
    this.#renewal.unref();
  }

  /** Holds the account, unless another run does. */
  static async take(store: Store, accountId: string, now: () => Date): Promise<AccountHold | undefined> {
    const until = expiryFrom(now());
    const isTaken = await store.write.accounts.claim(accountId, now().toISOString(), until);
    return isTaken ? new AccountHold(store, accountId, now, until) : undefined;
  }

  /** Throws HoldLost if another run holds the account. No other run can take it before the current transaction ends. */
  async check(): Promise<void> {
    const row = await this.#store.write.accounts.lock(this.#accountId);
    if (row !== undefined && !this.#until.includes(row.running_until ?? '')) throw this.#lose();
  }

  async release(): Promise<void> {
    clearInterval(this.#renewal);
    // A hold that cannot be released now expires.
    await this.#store.write.accounts.renewClaim(this.#accountId, this.#until, null).catch(() => {});
  }

  async #renew(): Promise<void> {
    const until = expiryFrom(this.#now());
    const held = this.#until;
    this.#until = [...held, until];
    if (await this.#store.write.accounts.renewClaim(this.#accountId, held, until)) this.#until = [until];
    else this.#lose();
  }

  #lose(): HoldLost {
    this.#controller.abort();
    return new HoldLost('Another run holds the account.');
  }
}

function expiryFrom(now: Date): string {
  return new Date(now.getTime() + HOLD_MS).toISOString();
}
