import type { AccountChange } from '../../store/accounts/account-store.ts';
import type { SyncPlan } from '../sync-source.ts';
import { AccountRecords, AccountRemoved, type SyncWriterOptions } from './account-records.ts';
import { MAX_ID_CHARACTERS } from './commit-items.ts';
import { deleteUnused } from './delete-unused.ts';
import type { OpenTarget } from './open-target.ts';
import { RecordSet } from './record-references.ts';
import { type StoredItem, storeItems } from './store-items.ts';

/** Limits of one transaction. */
const MAX_COMMIT_RECORDS = 500;
const MAX_COMMIT_CHARACTERS = 8 * 2 ** 20;
const ORPHANS_PER_COMMIT = 500;

/**
 * Stores what a source yields. Items, their records and the state of the source are committed together, so that a run
 * that is killed at any moment loses nothing and stores nothing twice: see docs/decisions/items-and-references.md.
 */
export class SyncWriter {
  /** Records and their size so far, for the budget of a run. */
  records = 0;
  characters = 0;
  #buffer: StoredItem[] = [];
  #bufferedRecords = 0;
  #bufferedCharacters = 0;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  readonly #options: SyncWriterOptions;
  readonly #records: AccountRecords;

  constructor(options: SyncWriterOptions) {
    this.#options = options;
    this.#records = new AccountRecords(options);
  }

  get target(): OpenTarget | undefined {
    return this.#records.target;
  }

  /** Uses a declaration that has grown. */
  async growPlan(plan: SyncPlan): Promise<void> {
    await this.commit();
    this.#records.growPlan(plan);
  }

  /** Finds or creates the connection. Returns its id. */
  async openConnection(): Promise<string> {
    await this.commit();
    return (await this.#records.open()).target.connectionId;
  }

  async add(item: StoredItem): Promise<void> {
    if ('collection' in item && !this.#checkIds(item)) return;
    this.#buffer.push(item);
    const records = item.kind === 'put' ? item.records : item.kind === 'record' ? [item] : [];
    this.#bufferedRecords += Math.max(1, records.length);
    for (const { data } of records) this.#bufferedCharacters += measureValue(data);
    if (this.#bufferedRecords >= MAX_COMMIT_RECORDS || this.#bufferedCharacters >= MAX_COMMIT_CHARACTERS)
      await this.commit();
  }

  #checkIds(item: StoredItem & { readonly collection: string }): boolean {
    const ids = 'item' in item ? [item.collection, item.item] : [item.collection];
    const isValid = ids.every((id) => id !== '' && id.length <= MAX_ID_CHARACTERS && id.isWellFormed());
    if (!isValid)
      this.#options.report.builder.addProblem({
        path: this.#options.account.account,
        reason: 'has an item with an unusable id, which was skipped',
      });
    return isValid;
  }

  /** Commits everything so far, with changes of the account such as the state of the source. */
  commit(changes: AccountChange = {}): Promise<void> {
    const mine = this.#last.then(() => this.#commit(changes));
    // What a failed commit would have stored is lost, so no later state may be stored either.
    this.#last = mine.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return mine;
  }

  /** Deletes the records that no item references since a reset. Called at the end of a complete run. */
  async deleteOrphans(): Promise<void> {
    await this.commit();
    const { account, store } = this.#options;
    const { accounts } = store.write;
    if (!(await accounts.hasOrphans(account.account_id))) return;
    const target = await this.#records.open();
    for (let left = ORPHANS_PER_COMMIT; left === ORPHANS_PER_COMMIT; ) {
      left = await this.#transact(async () => {
        const waiting = await accounts.takeOrphans(account.account_id, ORPHANS_PER_COMMIT);
        const before = new RecordSet();
        for (const { stream_id, key, was_there } of waiting) before.add(stream_id, key, was_there === 1);
        if (waiting.length > 0) await this.#withImport(target, () => deleteUnused(this.#records, [before]));
        await accounts.update(account.account_id, { emitted_at: this.#records.emittedAt });
        return waiting.length;
      });
    }
  }

  close(): void {
    this.#records.close();
  }

  async #commit(changes: AccountChange): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const items = this.#buffer;
    this.records += this.#bufferedRecords;
    this.characters += this.#bufferedCharacters;
    [this.#buffer, this.#bufferedRecords, this.#bufferedCharacters] = [[], 0, 0];
    if (items.length === 0 && Object.keys(changes).length === 0) return;
    const records = this.#records;
    const { account, store } = this.#options;
    // Without a record there is no connection yet.
    if (items.length > 0 && records.target === undefined)
      if (items.some(hasRecords) || (await this.#hasConnection())) await records.open();
    await this.#transact(async () => {
      const { target } = records;
      if (target === undefined) await storeItems(records, items);
      else if (items.length > 0) await this.#withImport(target, () => storeItems(records, items));
      await store.write.accounts.update(account.account_id, { ...changes, emitted_at: records.emittedAt });
    });
  }

  /** Runs work as one transaction, unless the account is gone or another run holds it. */
  #transact<T>(work: () => Promise<T>): Promise<T> {
    const { account, lease, store } = this.#options;
    return store.write.transact(async () => {
      await lease.check();
      const row = await store.write.accounts.find(account.account_id);
      if (row === undefined) throw new AccountRemoved('The account was removed.');
      const { target } = this.#records;
      if (target !== undefined && row.connection_id !== target.target.connectionId)
        throw new AccountRemoved('The connection of the account was removed.');
      return work();
    });
  }

  /** Stores the run as an import if it has changed something by now. */
  async #withImport(target: OpenTarget, work: () => Promise<void>): Promise<void> {
    const { report, store } = this.#options;
    const { plan } = this.#records;
    const isNew = report.importId === undefined;
    await report.begin(store, plan, target);
    const importId = report.importId as number;
    try {
      await work();
      if (isNew && !report.hasChanges()) {
        report.importId = undefined;
        await store.write.imports.remove(importId);
      }
    } catch (error) {
      // The transaction is rolled back, with the import.
      if (isNew) report.importId = undefined;
      throw error;
    }
    await report.save(store, plan, target, 'running', undefined);
  }

  async #hasConnection(): Promise<boolean> {
    const { account, store } = this.#options;
    return (await store.write.accounts.find(account.account_id))?.connection_id != null;
  }
}

const hasRecords = (item: StoredItem) =>
  item.kind === 'record' || (item.kind === 'put' && item.records.length > 0);

/** Returns about how many characters a value has as JSON. */
function measureValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [name, inner] of Object.entries(value)) size += name.length + 3 + measureValue(inner);
  return size;
}
