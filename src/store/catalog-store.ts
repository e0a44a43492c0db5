export interface ConnectionRow {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
  readonly created_at: string;
  /** How the account calls its owner, as a JSON list. */
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
  /** The zone of stored times without one. Undefined while it is the owner's. */
  readonly plainZone: string | undefined;
}

/** The largest number of a stream. */
export const MAX_STREAM_ID = 2 ** 14 - 1;

export interface CatalogReads {
  /** A number that grows with each change of the catalog. */
  version(): Promise<number>;
  zones(): Promise<Zones>;
  /** Lists connections in the order in which the owner added them. */
  listConnections(): Promise<ConnectionRow[]>;
  listSources(): Promise<SourceRow[]>;
  listStreams(): Promise<StreamRow[]>;
  /** The connections whose removal has begun. */
  listRemovals(): Promise<string[]>;
}

/** Storage of sources, connections and streams. Changes are part of a transaction, which also calls `raiseVersion`. */
export interface CatalogStore extends CatalogReads {
  /** Tells readers that there is a newer catalog. */
  raiseVersion(): Promise<void>;
  findDeclaration(connectorKey: string): Promise<string | undefined>;
  putSource(connectorKey: string, declaration: string, version: string, at: string): Promise<void>;
  findConnection(connectionId: string): Promise<ConnectionRow | undefined>;
  /** Adds a connection, or renames the one with this id. */
  putConnection(row: Omit<ConnectionRow, 'self'>): Promise<void>;
  /** Returns whether there is such a connection. */
  renameConnection(connectionId: string, displayName: string): Promise<boolean>;
  setSelf(connectionId: string, self: string | null): Promise<void>;
  /** Sets the account of a connection that has none. Returns whether it had none. */
  setFirstAccount(connectionId: string, account: string): Promise<boolean>;
  /** Removes the account of a connection, if it is the given one. */
  removeAccount(connectionId: string, account: string): Promise<void>;
  /** Removes a connection, its source if it was the last one, and schedules its streams for erasing. */
  removeConnection(connectionId: string, connectorKey: string, at: string): Promise<void>;
  findStream(connectionId: string, stream: string): Promise<StreamRow | undefined>;
  getStream(streamId: number): Promise<StreamRow>;
  /** Returns a number no stream has. That of a removed stream is free only when all its records are erased. */
  nextStreamId(): Promise<number>;
  addStream(row: StreamRow): Promise<void>;
  setPlan(streamId: number, plan: string): Promise<void>;
  /** Rebuilds the large records of a connection: they may hold newly declared fields. */
  rebuildLargeRecords(connectionId: string): Promise<void>;
  /** Sets the owner's time zone if none is set. */
  addTimeZone(timeZone: string): Promise<void>;
  /** Changes the owner's time zone. Stored times without a zone keep their meaning. */
  replaceTimeZone(before: string | undefined, after: string): Promise<void>;
}
