/**
 * The logs of reads and events. Entries are numbered in the order in which they are written. Only retention removes
 * them, and it leaves daily counts of the reads that it removes.
 */
export interface AuditStore {
  /** Stores reads. Their answers are sent only after the promise resolves. */
  appendReads(reads: readonly Omit<StoredRead, 'id'>[]): Promise<void>;
  /** Stores an event. */
  appendEvent(event: Omit<StoredEvent, 'id'>): Promise<void>;

  /** Returns reads that meet the filter, by number. */
  listReads(filter: ReadFilter, page: EntryPage): Promise<StoredRead[]>;
  /** Returns events that meet the filter, by number. */
  listEvents(filter: EventFilter, page: EntryPage): Promise<StoredEvent[]>;
  /** Returns the number of the newest event; 0 if there is none. */
  findLastEventId(): Promise<number>;

  /** Counts reads by period, app and grant, including pruned reads. */
  countReads(periods: readonly Period[], filter: ReadFilter): Promise<ReadCount[]>;
  /** Returns when each grant was last used, without grants that were never used. */
  findLastUse(grantIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns when a grant was first used. */
  findFirstUse(grantId: string): Promise<string | undefined>;
  /** Returns the time of the newest pruned read. */
  findCountedUntil(): Promise<string | undefined>;

  /** Returns the oldest reads, without the newest read of all: it must stay, because new ids continue after it. */
  listOldestReads(limit: number): Promise<StoredRead[]>;
  /** Returns the oldest events that may be pruned, but never the newest event of all. */
  listOldestEvents(spared: SparedEvents, limit: number, kinds?: readonly string[]): Promise<StoredEvent[]>;
  /** Removes reads and adds them to the daily counts, as one transaction. */
  pruneReads(ids: readonly number[], counts: readonly DayCount[]): Promise<void>;
  /** Removes events. */
  pruneEvents(ids: readonly number[]): Promise<void>;

  /** Returns how much space the log uses. */
  measureFile(): Promise<FileSize>;
  /** Makes the log able to release free space. May rewrite it once. */
  enableShrinking(): Promise<void>;
  /** Releases free space, at most this many pages. */
  shrinkFile(pages: number): Promise<void>;
}

/** One read. Connections, streams and fields are comma-separated names. */
export interface StoredRead {
  readonly id: number;
  readonly at: string;
  readonly request_id: string;
  readonly client: string;
  /** Null for the owner. */
  readonly grant_id: string | null;
  readonly surface: string;
  readonly tool: string;
  readonly connection_id: string | null;
  readonly stream: string | null;
  readonly fields: string | null;
  readonly records: number;
  readonly tokens_out: number;
  readonly ms: number;
  readonly outcome: string;
  readonly touched: number | null;
  readonly way: string | null;
}

export interface StoredEvent {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly client_id: string | null;
  readonly client: string | null;
  readonly grant_id: string | null;
  readonly detail: string | null;
  /** How often it happened: repeated events are counted. */
  readonly n: number;
}

interface EntryFilter {
  /** Null for entries that belong to no grant. */
  readonly grantId?: string | null | undefined;
  /** The earliest time. */
  readonly from?: string | undefined;
  /** The time before which entries are returned. */
  readonly to?: string | undefined;
}

export interface ReadFilter extends EntryFilter {
  readonly exceptSurface?: string | undefined;
  readonly tool?: string | undefined;
  /** Excludes pruned reads, whose connections are unknown. */
  readonly connectionId?: string | undefined;
  readonly outcome?: 'ok' | 'refused' | undefined;
}

export interface EventFilter extends EntryFilter {
  /** Null for events that name no client. */
  readonly clientId?: null | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly exceptKinds?: readonly string[] | undefined;
  readonly afterId?: number | undefined;
}

export interface EntryPage {
  readonly order: 'newest' | 'oldest';
  readonly beforeId?: number;
  readonly limit?: number;
}

export type Period = readonly [from: string, to: string];

export interface ReadCount {
  /** The index of the period. */
  readonly period: number;
  readonly client: string;
  readonly grant_id: string | null;
  readonly calls: number;
  readonly refused: number;
  readonly records: number;
  readonly tokens: number;
}

/** Reads of one day of the owner's calendar, by app, tool and outcome. */
export interface DayCount {
  /** When the day began. */
  readonly day: string;
  /** Empty for the owner. */
  readonly grant_id: string;
  readonly client: string;
  readonly surface: string;
  readonly tool: string;
  readonly outcome: 'ok' | 'refused';
  readonly calls: number;
  readonly records: number;
  readonly tokens_out: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** Events that retention never prunes. */
export interface SparedEvents {
  readonly kinds: readonly string[];
  /** Kinds that are kept until the owner has seen them, and the last event that the owner has seen. */
  readonly unseen: { readonly kinds: readonly string[]; readonly seenId: number };
  /** Kinds that are kept as long as these grants. */
  readonly ofGrants: { readonly kinds: readonly string[]; readonly grantIds: readonly string[] };
}

/** Sizes in bytes; `free` in pages. */
export interface FileSize {
  readonly used: number;
  readonly free: number;
  readonly onDisk: number;
}
