import type { ReadStore, WriteStore } from '../store/store.ts';
import type { StreamDeclaration } from './declaration.ts';
import { describeFields, type Field } from './field.ts';
import { flagsOwner } from './person-field.ts';
import { findTimeField, parseSlotPlan, type SlotPlan } from './slot-plan.ts';

export interface Connection {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
}

/** One stream of one connection: what it declares and where its values lie. */
export interface CatalogStream {
  readonly streamId: number;
  readonly connection: Connection;
  readonly name: string;
  readonly declaration: StreamDeclaration;
  readonly fields: ReadonlyMap<string, Field>;
  readonly plan: SlotPlan;
  readonly timeField: Field | undefined;
  /**
   * How the account calls its owner. Empty where records say themselves which of them the owner wrote: an importer
   * may have found the names in records that a grant hides.
   */
  readonly self: readonly string[];
}

/** Everything that is stored, by name. Immutable; a change of sources or connections makes a new one. */
export interface Catalog {
  readonly version: number;
  /** The owner's: days, bounds and groups of every answer are by its calendar. */
  readonly timeZone: string;
  /**
   * The zone in which stored times without one are meant. It is the owner's until that changes: what is in a record
   * does not move because its owner does.
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

/** What the read sides of stores had at last. A transaction may still take back what the write side sees, so that is not kept. */
const atHand = new WeakMap<object, Catalog>();

/** Reads the catalog, or gives back the one at hand when nothing in it has changed. */
export async function loadCatalog(store: Pick<ReadStore, 'catalog'> | WriteStore): Promise<Catalog> {
  const version = await store.catalog.version();
  const known = atHand.get(store);
  if (known?.version === version) return known;
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
      flagsOwner(declarations.get(one.connector_key) ?? []) ? [] : parseSelf(one.self),
    ]),
  );
  const streams = connections.flatMap((connection) =>
    (declarations.get(connection.connector_key) ?? []).flatMap((declared) => {
      const row = rows.find(
        (one) => one.connection_id === connection.connection_id && one.stream === declared.name,
      );
      return row === undefined
        ? []
        : [
            createStream(
              connection,
              declared,
              row.stream_id,
              parseSlotPlan(row.plan),
              selves.get(connection.connection_id),
            ),
          ];
    }),
  );
  const timeZone = zones.timeZone ?? 'UTC';
  const plainZone = zones.plainZone ?? timeZone;
  const catalog = { version, timeZone, plainZone, connections, streams };
  if (!('transact' in store)) atHand.set(store, catalog);
  return catalog;
}

function parseSelf(self: string | null): readonly string[] {
  return self === null ? [] : (JSON.parse(self) as string[]);
}

function streamsOf(declaration: string): StreamDeclaration[] {
  return (JSON.parse(declaration) as { streams: StreamDeclaration[] }).streams;
}

/** One stream with everything derived from its declaration. */
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

/** A field that found no slot can be read, not compared. Only streams with very many fields meet this. */
function limitToPlan(field: Field, plan: SlotPlan, isTimeField: boolean): Field {
  const placed = isTimeField || field.kind === 'list' || Object.hasOwn(plan.slots, field.name);
  const comparable = placed
    ? field
    : { ...field, filter: false, range: false, sort: false, group: false, metrics: [] };
  return { ...comparable, search: field.search && Object.hasOwn(plan.texts, field.name) };
}
