import { cleanData, makeContentKey } from '../../import/make-key.ts';
import { mergeSpans } from '../../import/merge-totals.ts';
import { createRecordWriter } from '../../import/record-writer.ts';
import { keyOf } from '../../ingest/prepare-record.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { AccountChange, AccountRow } from '../../store/accounts/account-store.ts';
import type { BatchOptions, Change, Outcome } from '../../store/batches.ts';
import { openScratch } from '../../store/sqlite/scratch.ts';
import type { Store } from '../../store/store.ts';
import type { SyncItem, SyncKey, SyncPlan, SyncRecord } from '../sync-source.ts';
import type { AccountHold } from './account-hold.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { findUnused, type ItemId, type PutItem, RecordSet, writeItems } from './record-references.ts';
import { findParents, type Parents, recountTotals } from './recount-totals.ts';
import type { RunReport } from './run-report.ts';

/** What is stored in one transaction at most. */
const MAX_COMMIT_RECORDS = 500;
const MAX_COMMIT_CHARACTERS = 8 * 2 ** 20;
const MAX_ID_CHARACTERS = 2_000;
const WAITING_PER_COMMIT = 500;

export type StoredItem = Extract<SyncItem, { kind: 'put' | 'remove' | 'reset' | 'record' }>;

/** The owner removed the account, or its connection, while it was synced. */
export class AccountRemoved extends Error {}

export interface SyncWriterOptions {
  readonly store: Store;
  readonly account: AccountRow;
  readonly plan: SyncPlan;
  readonly report: RunReport;
  readonly timeZone: string;
  readonly now: () => Date;
  readonly hold: AccountHold;
}

/**
 * Stores what a source yields. Items, their records and the state of the source are committed together, so that a run
 * that is killed at any moment loses nothing and stores nothing twice: see docs/decisions/items-and-references.md.
 */
export class SyncWriter {
  /** Records and their size so far, for the budget of a run. */
  records = 0;
  characters = 0;
  #plan: SyncPlan;
  #target: OpenTarget | undefined;
  #writer: Awaited<ReturnType<typeof createRecordWriter>> | undefined;
  #scratch: ReturnType<typeof openScratch> | undefined;
  #buffer: StoredItem[] = [];
  #bufferedRecords = 0;
  #bufferedCharacters = 0;
  #emittedAt: number;
  /** Of each record that the current commit has stored, whether it was there before. */
  #judged = new RecordSet();
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  readonly #options: SyncWriterOptions;

  constructor(options: SyncWriterOptions) {
    this.#options = options;
    this.#plan = options.plan;
    this.#emittedAt = options.account.emitted_at;
  }

  get target(): OpenTarget | undefined {
    return this.#target;
  }

  /** Uses a declaration that has grown. */
  async growPlan(plan: SyncPlan): Promise<void> {
    await this.commit();
    this.#plan = plan;
    this.#closeTarget();
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

  /** Deletes the records that a reset has left without an item. For the end of a complete run. */
  async removeWaiting(): Promise<void> {
    await this.commit();
    const { account, store } = this.#options;
    if (!(await store.write.accounts.hasWaiting(account.account_id))) return;
    const target = await this.#openTarget();
    for (let left = WAITING_PER_COMMIT; left === WAITING_PER_COMMIT; ) {
      left = await this.#transact(async () => {
        const waiting = await store.write.accounts.takeWaiting(account.account_id, WAITING_PER_COMMIT);
        const before = new RecordSet();
        for (const { stream_id, key, was_there } of waiting) before.add(stream_id, key, was_there === 1);
        if (waiting.length > 0) await this.#withImport(target, () => this.#deleteUnused([before]));
        await store.write.accounts.update(account.account_id, { emitted_at: this.#emittedAt });
        return waiting.length;
      });
    }
  }

  close(): void {
    this.#closeTarget();
  }

  async #commit(changes: AccountChange): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const items = this.#buffer;
    this.records += this.#bufferedRecords;
    this.characters += this.#bufferedCharacters;
    [this.#buffer, this.#bufferedRecords, this.#bufferedCharacters] = [[], 0, 0];
    if (items.length === 0 && Object.keys(changes).length === 0) return;
    if (items.some(hasRecords)) await this.#openTarget();
    const { account, store } = this.#options;
    // Without a record there is no connection yet.
    if (this.#target === undefined && items.length > 0 && (await this.#hasConnection()))
      await this.#openTarget();
    await this.#transact(async () => {
      this.#judged = new RecordSet();
      if (this.#target === undefined) await this.#store(items);
      else if (items.length > 0) await this.#withImport(this.#target, () => this.#store(items));
      await store.write.accounts.update(account.account_id, { ...changes, emitted_at: this.#emittedAt });
    });
  }

  /** Runs work as one transaction, unless the account is gone or another run holds it. */
  #transact<T>(work: () => Promise<T>): Promise<T> {
    const { account, hold, store } = this.#options;
    return store.write.transact(async () => {
      await hold.check();
      const row = await store.write.accounts.find(account.account_id);
      if (row === undefined) throw new AccountRemoved('The account was removed.');
      if (this.#target !== undefined && row.connection_id !== this.#target.target.connectionId)
        throw new AccountRemoved('The connection of the account was removed.');
      return work();
    });
  }

  /** Stores the run as an import if it has changed something by now. */
  async #withImport(target: OpenTarget, work: () => Promise<void>): Promise<void> {
    const { report, store } = this.#options;
    const isNew = report.importId === undefined;
    await report.begin(store, this.#plan, target);
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
    await report.save(store, this.#plan, target, 'running', undefined);
  }

  async #hasConnection(): Promise<boolean> {
    const { account, store } = this.#options;
    return (await store.write.accounts.find(account.account_id))?.connection_id != null;
  }

  async #store(items: readonly StoredItem[]): Promise<void> {
    const { account, store } = this.#options;
    const replaced: RecordSet[] = [];
    let commit = new CommitItems();
    const settle = async () => {
      await this.#finishRecords(commit);
      replaced.push(await writeItems(store, account.account_id, commit, this.#judged));
      for (const [streamId, keys] of commit.kept.streams())
        await store.write.accounts.keepRecords(streamId, [...keys.keys()]);
      const superseded = new RecordSet();
      for (const { streamId, key } of commit.superseded)
        superseded.add(streamId, key, this.#judged.find(streamId, key) ?? true);
      replaced.push(superseded);
      commit = new CommitItems(commit.kept);
    };
    for (const item of items) {
      if (item.kind === 'put')
        commit.put(item, [
          ...(await this.#addRecords(commit, item.records)),
          ...this.#findStreams(item.kept ?? []),
        ]);
      else if (item.kind === 'remove') commit.remove(item);
      else if (item.kind === 'record') {
        const path = account.account;
        for (const { streamId, key } of await this.#addRecords(commit, [item], path))
          commit.kept.add(streamId, key, true);
      } else {
        await settle();
        await store.write.accounts.resetCollection(account.account_id, item.collection);
      }
    }
    await settle();
    await this.#deleteUnused(replaced, commit.kept);
  }

  #findStreams(keys: readonly SyncKey[]): PutItem['records'] {
    return keys.flatMap(({ stream, key }) => {
      const found = this.#target?.streams.get(stream);
      return found === undefined ? [] : [{ streamId: found.streamId, key }];
    });
  }

  /** Adds records to the batches. Summaries wait until what they sum up is stored. Returns their keys. */
  async #addRecords(
    commit: CommitItems,
    records: readonly SyncRecord[],
    path?: string,
  ): Promise<{ streamId: number; key: string }[]> {
    const keys: { streamId: number; key: string }[] = [];
    const used = new Map<string, number>();
    for (const { stream: name, data: given } of records) {
      const stream = this.#target?.streams.get(name);
      const data = cleanData(given);
      // Equal records of two items are one record: each item counts its own.
      if (path === undefined && stream !== undefined)
        this.#fillKey(name, stream.declaration.primary_key, data, used);
      const key = stream && keyOf(data, stream.declaration.primary_key);
      if (stream !== undefined && key !== undefined && Object.hasOwn(this.#plan.totals ?? {}, name)) {
        commit.addSummary(name, key, data, this.#plan.totals);
        keys.push({ streamId: stream.streamId, key });
        continue;
      }
      const added = await this.#write({ stream: name, data }, path);
      if (added !== undefined && stream !== undefined) keys.push({ streamId: stream.streamId, key: added });
    }
    return keys;
  }

  #fillKey(
    stream: string,
    primaryKey: readonly string[],
    data: Record<string, unknown>,
    used: Map<string, number>,
  ): void {
    const missing = primaryKey.filter((name) => data[name] === undefined || data[name] === null);
    if (missing.length === 0) return;
    const key = makeContentKey(stream, data, this.#plan.identity?.[stream] ?? Object.keys(data));
    const n = (used.get(key) ?? 0) + 1;
    used.set(key, n);
    for (const name of missing) data[name] = n === 1 ? key : `${key}-${n}`;
  }

  /** Returns the key of the record; undefined if it cannot be stored, which the report says. */
  async #write(record: SyncRecord, path = ''): Promise<string | undefined> {
    const written = await this.#writer?.add({ ...record, file: { path } });
    if (written?.kind === 'added') return written.key;
    const { account, report } = this.#options;
    report.builder.count(record.stream, 'skipped');
    report.builder.addProblem({ path: account.account, place: record.stream, reason: written?.reason ?? '' });
    return undefined;
  }

  async #finishRecords(commit: CommitItems): Promise<void> {
    for (const [stream, summaries] of commit.summaries)
      for (const data of summaries.values()) await this.#write({ stream, data });
    await this.#writer?.finish();
  }

  /** Deletes records that no item has any more, and counts again what summed them up. */
  async #deleteUnused(replaced: readonly RecordSet[], kept = new RecordSet()): Promise<void> {
    const { store, report } = this.#options;
    const all = new RecordSet();
    for (const set of replaced)
      for (const [streamId, keys] of set.streams())
        for (const [key, wasThere] of keys)
          if (kept.find(streamId, key) === undefined) all.add(streamId, key, wasThere);
    const streams = this.#target?.streams ?? new Map();
    const names = new Map([...streams.values()].map(({ streamId, name }) => [streamId, name]));
    const parents: Parents[] = [];
    for (const [streamId, keys] of await findUnused(store, all)) {
      parents.push(await findParents(store, streams, this.#plan.totals ?? {}, streamId, keys));
      const emittedAt = this.#tick();
      const changes = keys.map((key): Change => ({ op: 'delete', key, emittedAt }));
      for (const outcome of await this.#writeBatch(streamId, changes))
        if (outcome === 'deleted') report.builder.count(names.get(streamId) ?? '', 'removed');
    }
    await this.#recount(parents);
  }

  async #recount(all: readonly Parents[]): Promise<void> {
    const { store } = this.#options;
    const { plainZone } = await loadCatalog(store.read);
    for (const parents of all)
      for (const [parent, keys] of parents) {
        const totals = this.#plan.totals?.[parent.name];
        if (totals === undefined || keys.size === 0) continue;
        const zone = { plainZone, emittedAt: this.#tick() };
        const streams = this.#target?.streams ?? new Map();
        const changes = await recountTotals(store, streams, totals, parent, [...keys], zone);
        if (changes.length > 0) await this.#writeBatch(parent.streamId, changes);
      }
  }

  #writeBatch(streamId: number, changes: readonly Change[], holdsChanges = false): Promise<Outcome[]> {
    const { store, report } = this.#options;
    return store.write.batches.write(streamId, changes, { importId: report.importId, holdsChanges });
  }

  /** Returns a time after that of every earlier change of the account, even if the clock was set back. */
  #tick(): number {
    this.#emittedAt = Math.max(this.#options.now().getTime(), this.#emittedAt + 1);
    return this.#emittedAt;
  }

  async #openTarget(): Promise<OpenTarget> {
    if (this.#target !== undefined) return this.#target;
    const { account, now, report, store, timeZone } = this.#options;
    const row = await store.write.accounts.find(account.account_id);
    if (row === undefined) throw new AccountRemoved('The account was removed.');
    const target = await openTarget(store, row, this.#plan, timeZone, now());
    this.#scratch = openScratch();
    const { uncommitted } = store.write;
    const read = {
      catalog: store.read.catalog,
      stored: {
        ...uncommitted,
        words: (after: number, limit: number) => store.read.stored.words(after, limit),
      },
    };
    const write = {
      batches: {
        write: (streamId: number, changes: readonly Change[], options?: BatchOptions) =>
          this.#writeBatch(streamId, changes, options?.holdsChanges),
      },
    };
    const { identity, totals } = this.#plan;
    this.#writer = await createRecordWriter({
      store: { read, write },
      scratch: this.#scratch,
      importer: {
        ...(identity === undefined ? {} : { identity }),
        ...(totals === undefined ? {} : { totals }),
      },
      streams: target.streams,
      // The batches above name the import.
      importId: 0,
      emittedAt: () => this.#tick(),
      keyValue: (value) => value,
      count: (stream, outcome) => report.builder.count(stream, outcome),
      onBatch: ({ streamId }, changes, outcomes) => {
        for (const [at, { key }] of changes.entries())
          this.#judged.add(streamId, key, outcomes[at] !== 'new');
      },
    });
    this.#target = target;
    return target;
  }

  #closeTarget(): void {
    this.#scratch?.close();
    [this.#target, this.#writer, this.#scratch] = [undefined, undefined, undefined];
  }
}

/** The items of one commit. Of several changes of an item, the last one counts. */
class CommitItems {
  readonly #put = new Map<string, PutItem>();
  readonly #removed = new Map<string, ItemId>();
  /** Records that are stored without an item: no run deletes them. */
  readonly kept: RecordSet;
  /** Records of items that the commit has put and replaced. */
  readonly superseded: { streamId: number; key: string }[] = [];
  readonly summaries = new Map<string, Map<string, Record<string, unknown>>>();

  constructor(kept = new RecordSet()) {
    this.kept = kept;
  }

  get removed(): ReadonlyMap<string, ItemId> {
    return this.#removed;
  }

  get puts(): ReadonlyMap<string, PutItem> {
    return this.#put;
  }

  put(
    { collection, item, version }: { collection: string; item: string; version?: string },
    records: PutItem['records'],
  ): void {
    const id = JSON.stringify([collection, item]);
    this.#supersede(id);
    this.#removed.delete(id);
    this.#put.set(id, { collection, item, version: version?.slice(0, MAX_ID_CHARACTERS) ?? null, records });
  }

  remove({ collection, item }: ItemId): void {
    const id = JSON.stringify([collection, item]);
    this.#supersede(id);
    this.#put.delete(id);
    this.#removed.set(id, { collection, item });
  }

  /** Joins summaries of one commit. Those that are stored are added when they are written. */
  addSummary(stream: string, key: string, data: Record<string, unknown>, totals: SyncPlan['totals']): void {
    const summaries = this.summaries.get(stream) ?? new Map<string, Record<string, unknown>>();
    const earlier = summaries.get(key);
    const own = totals?.[stream];
    if (earlier !== undefined && own !== undefined) mergeSpans(earlier, data, own);
    this.summaries.set(stream, summaries.set(key, data));
  }

  #supersede(id: string): void {
    this.superseded.push(...(this.#put.get(id)?.records ?? []));
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
