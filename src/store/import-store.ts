/** An import as it is stored. `report` is JSON. */
export interface ImportRow {
  readonly import_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly state: string;
  readonly report: string;
}

export interface NewImport {
  readonly connection_id: string;
  readonly format: string;
  readonly started_at: string;
  readonly state: string;
  readonly report: string;
}

/** A connection that an import made. `self` is JSON. */
export interface ImportedConnectionRow {
  readonly connection_id: string;
  readonly display_name: string;
  readonly account: string | null;
  readonly self: string | null;
  /** The time zone of its keys, from the report of its newest import. */
  readonly key_zone: string | null;
}

/** The change numbers of consecutive batches of an import. */
export interface ImportSpan {
  readonly import_id: number;
  readonly stream_id: number;
  readonly from_seq: number;
  readonly to_seq: number;
}

/** A record whose latest change an import made. */
export interface ChangedRecord {
  readonly key: string;
  readonly emitted_at: number;
  /** Its data before the import; null if it did not exist. */
  readonly before: string | null;
}

/** Reads of imports and their changes. */
export interface ImportReads {
  /** Returns all imports, the newest first. */
  list(): Promise<ImportRow[]>;
  find(importId: number): Promise<ImportRow | undefined>;
  /** Returns the connections of a source that have imports, the oldest first. */
  listConnections(connectorKey: string): Promise<ImportedConnectionRow[]>;
  /** Returns some of the records whose latest change lies in a span. */
  readChanged(span: ImportSpan): Promise<ChangedRecord[]>;
  /** Counts records that the span changed and that were changed again later. */
  countChangedSince(span: ImportSpan): Promise<number>;
}

/** Writes of imports, so that they can be undone. */
export interface ImportStore extends ImportReads {
  /** Adds an import. Returns its number. */
  add(row: NewImport): Promise<number>;
  update(importId: number, changes: Pick<ImportRow, 'state' | 'ended_at' | 'report'>): Promise<void>;
  /** Removes an import that has changed nothing. */
  remove(importId: number): Promise<void>;
  /** Returns the change numbers of an import. */
  listSpans(importId: number): Promise<ImportSpan[]>;
  deleteSpans(importId: number): Promise<void>;
  /** Returns whether any import of the connection can still be undone. */
  hasSpans(connectionId: string): Promise<boolean>;
}
