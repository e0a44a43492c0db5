/** An account as it is stored. Flags are 0 or 1; times are ISO texts. */
export interface AccountRow {
  readonly account_id: string;
  readonly kind: string;
  /** The name at the server: `anna@example.org`. */
  readonly account: string;
  /** The connection of its records; null before the first record. */
  readonly connection_id: string | null;
  /** JSON. */
  readonly settings: string;
  /** The encrypted password or token. */
  readonly credentials: string | null;
  readonly allows_private: number;
  readonly interval_seconds: number;
  readonly paused: number;
  /** A JSON list of the collections that the owner chose; null: the defaults. */
  readonly collections: string | null;
  /** JSON of the source: where the next run starts. */
  readonly state: string | null;
  readonly created_at: string;
  readonly last_run_at: string | null;
  /** JSON: what the last run that changed something did. */
  readonly last_changes: string | null;
  /** JSON: why the last run failed, and since when. */
  readonly problem: string | null;
  /** 1 if the account does not sync until the owner acts. */
  readonly stopped: number;
  readonly next_run_at: string | null;
  /** The number of failed runs since the last successful one. */
  readonly failures: number;
  /** The highest time that records were stored with, so that a clock that is set back loses no change. */
  readonly emitted_at: number;
  /** A run holds the account until this time, and renews it. */
  readonly running_until: string | null;
  /** JSON: the progress of the current run. */
  readonly progress: string | null;
}

export type AccountChange = Partial<Omit<AccountRow, 'account_id' | 'kind' | 'created_at'>>;

/** An item of a server, such as a mail in a folder. */
export interface AccountItemRow {
  readonly collection: string;
  readonly item: string;
  readonly version: string | null;
}

/** A reference of an item to a record. Several items can refer to the same record. */
export interface RecordReference {
  readonly stream_id: number;
  readonly key: string;
  readonly collection: string;
  /** Empty after a reset: the record is deleted at the end of the run unless another item refers to it. */
  readonly item: string;
  /** 1 if the record existed before the account stored it. Then no run deletes it. */
  readonly was_there: number;
}

export interface AccountReads {
  /** Lists the accounts in the order in which they were added. */
  list(): Promise<AccountRow[]>;
  find(accountId: string): Promise<AccountRow | undefined>;
  /** Returns items of a collection in order of their ids, after an id. */
  listItems(accountId: string, collection: string, after: string, limit: number): Promise<AccountItemRow[]>;
  findItems(accountId: string, collection: string, items: readonly string[]): Promise<AccountItemRow[]>;
  listCollections(accountId: string): Promise<string[]>;
  /** Returns the records of some items. */
  listReferences(accountId: string, collection: string, items: readonly string[]): Promise<RecordReference[]>;
  /** Returns whether a reset has left records without an item. */
  hasOrphans(accountId: string): Promise<boolean>;
  /** Returns those of the keys that an item of any account refers to, and whether each record existed before. */
  findReferenced(streamId: number, keys: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
}

/** Writes of accounts and of what they have stored. They join the current transaction. */
export interface AccountStore extends AccountReads {
  add(row: AccountRow): Promise<void>;
  update(accountId: string, changes: AccountChange): Promise<void>;
  /** Removes an account with its items. Its records stay. */
  remove(accountId: string): Promise<void>;
  /** Holds the account for a run, unless another run holds it. */
  claim(accountId: string, now: string, until: string): Promise<boolean>;
  /**
   * Holds the account until another time, or no longer if it is null. Returns false unless the account was held until one
   * of the given times: then another run holds it.
   */
  renewClaim(accountId: string, held: readonly string[], until: string | null): Promise<boolean>;
  /** Returns an account that nobody else can change before the current transaction ends. */
  lock(accountId: string): Promise<AccountRow | undefined>;
  putItems(accountId: string, items: readonly AccountItemRow[]): Promise<void>;
  /** Removes items with their references. */
  removeItems(accountId: string, collection: string, items: readonly string[]): Promise<void>;
  addReferences(accountId: string, references: readonly RecordReference[]): Promise<void>;
  /** Marks records as stored before the account stored them, so that no run deletes them. */
  markExisting(streamId: number, keys: readonly string[]): Promise<void>;
  /** Removes the items of a collection. Their records stay until the end of the run. */
  resetCollection(accountId: string, collection: string): Promise<void>;
  /** Removes some references that a reset has left without an item, and returns them. */
  takeOrphans(accountId: string, limit: number): Promise<RecordReference[]>;
}
