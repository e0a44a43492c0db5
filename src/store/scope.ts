/**
 * The type of a field for filters and sums. `text` is prose, which is searched and not filtered. `list` is an array of
 * strings. `json` is everything else, which can only be read.
 */
export type FieldKind =
  | 'string'
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date-time'
  | 'date'
  | 'list'
  | 'json';

/** A field of a stream. */
export interface FieldRef {
  readonly name: string;
  readonly kind: FieldKind;
}

/** The number of scalar fields of a stream that can be filtered. They are copied into numbered slots. */
export const SLOT_COUNT = 16;
/** The number of slots with an index. The slot plan assigns them to the fields that are filtered most. */
export const INDEXED_SLOTS = 4;
/** The number of fields of a stream that can be searched. */
export const TEXT_COLUMNS = 8;

/** Assigns fields to slots and text columns. It is stored per stream, and assignments never change. */
export interface SlotPlan {
  readonly slots: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
}

/** One stream of one connection. */
export interface StoredStream {
  readonly streamId: number;
  readonly connection: { readonly connection_id: string };
  readonly fields: ReadonlyMap<string, FieldRef & { readonly search: boolean }>;
  /** The field that records are ordered by, and that a grant's window applies to. */
  readonly timeField: FieldRef | undefined;
  readonly plan: SlotPlan;
}

/** The part of one stream that a grant shows: which records and which fields. Every read of records takes one. */
export interface Scope {
  readonly stream: StoredStream;
  readonly fields: ReadonlySet<string>;
  /** The same as a list, which is faster to iterate for every row. */
  readonly fieldNames: readonly string[];
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly keys: ReadonlySet<string> | undefined;
}
