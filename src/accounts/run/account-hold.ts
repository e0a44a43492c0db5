import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';

/** A process that dies loses its accounts after this time. */
const HOLD_MS = MINUTE_MS;
const RENEWAL_MS = 15_000;

/** Another run holds the account. This process was frozen, or could not reach the database, for longer than a hold lasts. */
export class HoldLost extends Error {}

/**
 * Holds an account for one run at a time. Whoever loses the hold can store nothing more, because each transaction of a run
 * checks it.
 */
export class AccountHold {
  /** Aborted when the hold is lost. */
  readonly lost: AbortSignal;
  readonly #store: Store;
  readonly #accountId: string;
  readonly #now: () => Date;
  readonly #controller = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  /** The time until which the account is held. While it is renewed, and if the outcome is unknown, also the next one. */
  #until: readonly string[];

  private constructor(store: Store, accountId: string, now: () => Date, until: string) {
    [this.#store, this.#accountId, this.#now, this.#until] = [store, accountId, now, [until]];
    this.lost = this.#controller.signal;
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEWAL_MS);
    this.#renewal.unref();
  }

  /** Holds the account, unless another run does. */
  static async take(store: Store, accountId: string, now: () => Date): Promise<AccountHold | undefined> {
    const until = endOf(now());
    const isTaken = await store.write.accounts.claim(accountId, now().toISOString(), until);
    return isTaken ? new AccountHold(store, accountId, now, until) : undefined;
  }

  /** Throws HoldLost if another run holds the account. Nobody else takes it before the present transaction ends. */
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
    const until = endOf(this.#now());
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

function endOf(now: Date): string {
  return new Date(now.getTime() + HOLD_MS).toISOString();
}
