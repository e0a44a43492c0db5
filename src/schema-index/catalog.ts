import type { ReadStore, WriteStore } from '../store/store.ts';
import type { StreamDeclaration } from './declaration.ts';
import { describeFields, type Field } from './field.ts';
import { hasSentFlag } from './person-field.ts';
import { findTimeField, parseSlotPlan, type SlotPlan } from './slot-plan.ts';

export interface Connection {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
}

/** One stream of one connection: its declaration and where its values are stored. */
export interface CatalogStream {
  readonly streamId: number;
  readonly connection: Connection;
  readonly name: string;
  readonly declaration: StreamDeclaration;
  readonly fields: ReadonlyMap<string, Field>;
  readonly plan: SlotPlan;
  readonly timeField: Field | undefined;
  /**
   * Names of the owner in the account. Empty where records have a flag for the owner's own: an importer may have found
   * the names in records that a grant hides.
   */
  readonly self: readonly string[];
}

/** All connections and streams. Immutable; a change of sources or connections makes a new one. */
export interface Catalog {
  readonly version: number;
  /** The owner's time zone: days, bounds and groups of answers follow it. */
  readonly timeZone: string;
  /**
   * The zone of stored times without one. It stays when the owner's zone changes: times in records keep their meaning.
   */
  readonly plainZone: string;
  readonly connections: readonly Connection[];
  readonly streams: readonly CatalogStream[];
}

export function findStream(
  catalog: Catalog,
  connectionId: string,
  stream: string,
): CatalogStream | undefined {
  return catalog.streams.find((one) => one.name === stream && one.connection.connection_id === connectionId);
}

/** The last catalog of each store's read side. That of the write side is not cached: its transaction may roll back. */
const cached = new WeakMap<object, Catalog>();

/** Reads the catalog, or returns the cached one if it has not changed. */
export async function loadCatalog(store: Pick<ReadStore, 'catalog'> | WriteStore): Promise<Catalog> {
  const version = await store.catalog.version();
  const last = cached.get(store);
  if (last?.version === version) return last;
  const zones = await store.catalog.zones();
  const accounts = await store.catalog.listConnections();
  const sources = await store.catalog.listSources();
  const rows = await store.catalog.listStreams();
  const declarations = new Map(sources.map((row) => [row.connector_key, streamsOf(row.declaration)]));
  const connections = accounts.map(({ connection_id, connector_key, display_name }) => ({
    connection_id,
    connector_key,
    display_name,
  }));
  const selves = new Map(
    accounts.map((one) => [
      one.connection_id,
      hasSentFlag(declarations.get(one.connector_key) ?? []) ? [] : parseSelf(one.self),
    ]),
  );
  const streams = connections.flatMap((connection) =>
    (declarations.get(connection.connector_key) ?? []).flatMap((declared) => {
      const row = rows.find(
        (one) => one.connection_id === connection.connection_id && one.stream === declared.name,
      );
      if (row === undefined) return [];
      const self = selves.get(connection.connection_id);
      return [createStream(connection, declared, row.stream_id, parseSlotPlan(row.plan), self)];
    }),
  );
  const timeZone = zones.timeZone ?? 'UTC';
  const plainZone = zones.plainZone ?? timeZone;
  const catalog = { version, timeZone, plainZone, connections, streams };
  if (!('transact' in store)) cached.set(store, catalog);
  return catalog;
}

function parseSelf(self: string | null): readonly string[] {
  return self === null ? [] : (JSON.parse(self) as string[]);
}

function streamsOf(declaration: string): StreamDeclaration[] {
  return (JSON.parse(declaration) as { streams: StreamDeclaration[] }).streams;
}

/** Returns a stream with everything derived from its declaration. */
export function createStream(
  connection: Connection,
  declaration: StreamDeclaration,
  streamId: number,
  plan: SlotPlan,
  self: readonly string[] = [],
): CatalogStream {
  const timeName = findTimeField(declaration);
  const fields = new Map(
    describeFields(declaration).map((field) => [
      field.name,
      limitToPlan(field, plan, field.name === timeName),
    ]),
  );
  return {
    streamId,
    connection,
    name: declaration.name,
    declaration,
    fields,
    plan,
    timeField: timeName === undefined ? undefined : fields.get(timeName),
    self,
  };
}

/** A field without a slot can be read, not compared. Only streams with very many fields have such fields. */
function limitToPlan(field: Field, plan: SlotPlan, isTimeField: boolean): Field {
  const placed = isTimeField || field.kind === 'list' || Object.hasOwn(plan.slots, field.name);
  const comparable = placed
    ? field
    : { ...field, filter: false, range: false, sort: false, group: false, metrics: [] };
  return { ...comparable, search: field.search && Object.hasOwn(plan.texts, field.name) };
}
