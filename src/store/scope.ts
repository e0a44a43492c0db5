/**
 * What a field holds, as far as filters and sums care. `text` is prose: found by search, not by filter.
 * `list` is an array of strings. `json` is everything else: readable, nothing more.
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

/** A field of a stream, as far as the store needs to know it. */
export interface FieldRef {
  readonly name: string;
  readonly kind: FieldKind;
}

/**
 * Scalar fields of a record are copied into numbered slots, so that one table serves every stream. Which field is in
 * which slot is written down per stream when the stream is first stored.
 */
export const SLOT_COUNT = 16;
/** The first slots carry an index; the slot plan gives them to the fields most likely to be filtered. */
export const INDEXED_SLOTS = 4;
export const TEXT_COLUMNS = 8;

/** Which field is stored in which slot and which text column. Written once per stream and only ever added to. */
export interface SlotPlan {
  readonly slots: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
}

/** One stream of one connection, as far as the store needs to know it. */
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
  /** The same as a list: iterating over a set allocates for each name, and every row iterates. */
  readonly fieldNames: readonly string[];
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly keys: ReadonlySet<string> | undefined;
}
