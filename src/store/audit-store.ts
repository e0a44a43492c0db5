/**
 * What is kept of reads and events. Both logs only grow: entries are numbered as they are written, and nothing changes
 * or removes one except retention, which leaves daily counts of the reads it removes.
 */
export interface AuditStore {
  /** The entry is stored when the promise resolves, so that an answer can leave after it. */
  appendRead(read: Omit<StoredRead, 'id'>): Promise<void>;
  appendEvent(event: Omit<StoredEvent, 'id'>): Promise<void>;

  listReads(filter: ReadFilter, page: EntryPage): Promise<StoredRead[]>;
  listEvents(filter: EventFilter, page: EntryPage): Promise<StoredEvent[]>;
  /** The number of the newest event; 0 when there is none. */
  findLastEventId(): Promise<number>;

  /** Counts reads per period, app and grant, including reads that were pruned. */
  countReads(periods: readonly Period[], filter: ReadFilter): Promise<ReadCount[]>;
  /** When each grant was last used; grants that were never used are absent. */
  findLastUse(grantIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  findFirstUse(grantId: string): Promise<string | undefined>;
  /** The time of the newest read that was pruned. */
  findCountedUntil(): Promise<string | undefined>;

  /** The oldest reads, without the newest one of all: numbers continue after it. */
  listOldestReads(limit: number): Promise<StoredRead[]>;
  /** The oldest events that may be pruned, without the newest one of all. */
  listOldestEvents(spared: SparedEvents, limit: number, kinds?: readonly string[]): Promise<StoredEvent[]>;
  /** Removes reads and adds them to the daily counts, as one transaction. */
  pruneReads(ids: readonly number[], counts: readonly DayCount[]): Promise<void>;
  pruneEvents(ids: readonly number[]): Promise<void>;

  measureFile(): Promise<FileSize>;
  /** Lets the file give back what it no longer needs. Rewrites the file once. */
  enableShrinking(): Promise<void>;
  /** Gives some free pages back to the disk. */
  shrinkFile(pages: number): Promise<void>;
}

/** One read. Connections, streams and fields are lists of names joined by commas. */
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
  /** How often it happened: floods are counted, not written one by one. */
  readonly n: number;
}

interface EntryFilter {
  /** Null for entries that belong to no grant. */
  readonly grantId?: string | null;
  /** From this time on. */
  readonly from?: string;
  /** Before this time. */
  readonly to?: string;
}

export interface ReadFilter extends EntryFilter {
  readonly exceptSurface?: string;
  readonly tool?: string;
  /** Excludes pruned reads: their connections are no longer known. */
  readonly connectionId?: string;
  readonly outcome?: 'ok' | 'refused';
}

export interface EventFilter extends EntryFilter {
  /** Null for events that name no client. */
  readonly clientId?: null;
  readonly kinds?: readonly string[];
  readonly exceptKinds?: readonly string[];
  readonly afterId?: number;
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

/** Events that are kept at any age. */
export interface SparedEvents {
  readonly kinds: readonly string[];
  /** Kinds that are kept until the owner has seen them, and the last event that was seen. */
  readonly unseen: { readonly kinds: readonly string[]; readonly seenId: number };
  /** Kinds that are kept as long as these grants. */
  readonly ofGrants: { readonly kinds: readonly string[]; readonly grantIds: readonly string[] };
}

/** In bytes, but `free` in pages. */
export interface FileSize {
  readonly used: number;
  readonly free: number;
  readonly onDisk: number;
}
