export interface ConnectionRow {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
  readonly created_at: string;
  /** The names of the owner in this account, as a JSON list. */
  readonly self: string | null;
}

export interface StreamRow {
  readonly stream_id: number;
  readonly connection_id: string;
  readonly stream: string;
  /** The slot plan as JSON. */
  readonly plan: string;
}

export interface SourceRow {
  readonly connector_key: string;
  /** The declaration as JSON. */
  readonly declaration: string;
}

export interface Zones {
  /** The owner's time zone, if it is set. */
  readonly timeZone: string | undefined;
  /** The zone of stored times without a zone. Undefined while it is the owner's. */
  readonly plainZone: string | undefined;
}

/** The largest stream number. */
export const MAX_STREAM_ID = 2 ** 14 - 1;

/** Reads of sources, connections and streams. */
export interface CatalogReads {
  /** Returns a number that grows with each change of the catalog. */
  version(): Promise<number>;
  /** Returns the owner's time zone and the zone of stored times. */
  zones(): Promise<Zones>;
  /** Returns the secret in the keys of imported records; undefined if there is none. */
  keySecret(): Promise<string | undefined>;
  /** Lists connections in the order in which the owner added them. */
  listConnections(): Promise<ConnectionRow[]>;
  /** Returns all sources with their declarations. */
  listSources(): Promise<SourceRow[]>;
  /** Returns the streams of all connections. */
  listStreams(): Promise<StreamRow[]>;
  /** Returns the connections whose records are not erased yet. */
  listRemovals(): Promise<string[]>;
}

/** Writes of the catalog. A transaction with such writes also calls `raiseVersion`. */
export interface CatalogStore extends CatalogReads, SourceStore, ConnectionStore, StreamStore, SettingStore {
  /** Raises the version, so that readers load the catalog again. */
  raiseVersion(): Promise<void>;
}

export interface SourceStore {
  findDeclaration(connectorKey: string): Promise<string | undefined>;
  /** Adds a source, or replaces its declaration. */
  putSource(connectorKey: string, declaration: string, version: string, at: string): Promise<void>;
}

export interface ConnectionStore {
  findConnection(connectionId: string): Promise<ConnectionRow | undefined>;
  /** Adds a connection, or renames the one with this id. */
  putConnection(row: Omit<ConnectionRow, 'self'>): Promise<void>;
  /** Renames a connection. Returns false if there is none. */
  renameConnection(connectionId: string, displayName: string): Promise<boolean>;
  /** Sets the names of the owner in a connection, as a JSON list. */
  setSelf(connectionId: string, self: string | null): Promise<void>;
  /** Sets the account of a connection that has none. Returns whether it had none. */
  setFirstAccount(connectionId: string, account: string): Promise<boolean>;
  /** Removes the account of a connection if it is this one. */
  removeAccount(connectionId: string, account: string): Promise<void>;
  /** Removes a connection, its source if it was the last one, and schedules its streams for erasing. */
  removeConnection(connectionId: string, connectorKey: string, at: string): Promise<void>;
}

export interface StreamStore {
  findStream(connectionId: string, stream: string): Promise<StreamRow | undefined>;
  /** Returns a stream. Throws if there is none. */
  getStream(streamId: number): Promise<StreamRow>;
  /** Returns an unused stream number. The number of a removed stream is in use until its records are erased. */
  nextStreamId(): Promise<number>;
  addStream(row: StreamRow): Promise<void>;
  /** Replaces the slot plan of a stream. */
  setPlan(streamId: number, plan: string): Promise<void>;
  /** Indexes the large records of a connection again, after its declaration has grown. */
  rebuildLargeRecords(connectionId: string): Promise<void>;
}

export interface SettingStore {
  /** Sets the secret in the keys of imported records if none is set. */
  addKeySecret(secret: string): Promise<void>;
  /** Sets the owner's time zone if none is set. */
  addTimeZone(timeZone: string): Promise<void>;
  /** Changes the owner's time zone. Stored times without a zone keep their meaning. */
  replaceTimeZone(before: string | undefined, after: string): Promise<void>;
}
