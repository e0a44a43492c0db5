import { AppError } from '../errors.ts';
import { type Clock, pointsTo } from '../filter/filter.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ReadContext, Related } from '../reads/granted-read.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import { getField } from '../schema-index/find-field.ts';
import { cutText } from '../text/cut-text.ts';
import type { EscapeCount } from '../text/escape-text.ts';
import { fewNames } from '../text/suggest.ts';
import { Budget } from './envelope.ts';
import { idOf, oneLine, type RecordRow, showTimes, takeRecord } from './record-view.ts';

/** Returns the relation by which a field points to one record of another granted stream. */
export function findPointer(stream: GrantedStream, field: string): Relationship | undefined {
  return stream.relations.find((one) => one.cardinality === 'has_one' && one.foreign_key === field);
}

/** Names of the records that keys point to: `C0H1024` is `general`. */
export type Labels = ReadonlyMap<string, string>;

const MAX_LABEL_CHARACTERS = 60;
const MAX_KEYS = 400;

/**
 * Reads the names of the records that a field points to, over all streams of a call. A key with different names in
 * different connections has no label.
 */
export async function readLabels(
  streams: readonly GrantedStream[],
  field: string,
  keys: readonly unknown[],
  { reader }: ReadContext,
): Promise<Labels> {
  const labels = new Map<string, string>();
  const wanted = [...new Set(keys.filter((key) => typeof key === 'string'))].slice(0, MAX_KEYS);
  const clashes = new Set<string>();
  for (const stream of wanted.length === 0 ? [] : streams) {
    const relation = findPointer(stream, field);
    if (relation === undefined) continue;
    for (const { key, name } of await reader.lookups.names(reader.target(stream, relation), wanted)) {
      // A name that is part of the key adds nothing.
      if (name.trim() === '' || key.includes(name)) continue;
      const label = cutText(oneLine(name, MAX_LABEL_CHARACTERS), MAX_LABEL_CHARACTERS);
      if ((labels.get(key) ?? label) !== label) clashes.add(key);
      labels.set(key, label);
    }
  }
  for (const key of clashes) labels.delete(key);
  return labels;
}

/** Labels of the keys in a list of records: by field, then by key. */
export type RowLabels = Record<string, Record<string, string>>;

const LABEL_TOKENS = 400;
const LABEL_BYTES = 1_600;

interface LabelOptions {
  readonly fields: readonly string[] | undefined;
  readonly relations: readonly Expansion[];
  readonly budget: Budget;
}

/** Reads labels for the shown fields of records, without those whose records are expanded anyway. */
export async function readRowLabels(
  records: readonly GrantedRecord[],
  { fields, relations, budget }: LabelOptions,
  context: ReadContext,
): Promise<RowLabels> {
  const streams = [...new Set(records.map((one) => one.stream))];
  const pointers = streams
    .flatMap((stream) => stream.relations)
    .filter((one) => one.cardinality === 'has_one' && (fields?.includes(one.foreign_key) ?? true))
    .filter((one) => !relations.some(({ relation }) => relation.name === one.name));
  const { tokens, bytes } = budget.left;
  const part = new Budget(Math.min(LABEL_TOKENS, tokens), Math.min(LABEL_BYTES, bytes));
  const rows: RowLabels = {};
  for (const field of new Set(pointers.map((one) => one.foreign_key))) {
    const keys = records.map((one) => one.record[field]);
    for (const [key, label] of await readLabels(streams, field, keys, context)) {
      if (!part.take({ [field]: { [key]: label } })) break;
      rows[field] = { ...rows[field], [key]: label };
    }
  }
  return rows;
}

/** Returns the labels of the records that were shown. */
export function pickLabels(labels: RowLabels, shown: readonly GrantedRecord[]): RowLabels | undefined {
  const picked = Object.entries(labels).flatMap(([field, byKey]) => {
    const keys = new Set(shown.map((one) => one.record[field]));
    const own = Object.entries(byKey).filter(([key]) => keys.has(key));
    return own.length === 0 ? [] : [[field, Object.fromEntries(own)] as const];
  });
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}

/** A relation to follow, and the fields of its records to show; undefined for all. */
export interface Expansion {
  readonly relation: Relationship;
  readonly fields: readonly string[] | undefined;
}

/** Reads the names in `expand`: a relation, or one field of it as `relation.field`. */
export function findRelations(
  stream: GrantedStream,
  names: readonly string[],
  reader: GrantedReader,
): Expansion[] {
  const asked = new Map<Relationship, string[]>();
  for (const name of names) {
    const relation = stream.relations.find((one) => name === one.name || name.startsWith(`${one.name}.`));
    if (relation === undefined)
      throw new AppError('unknown_field', 'expand names a relation that this stream does not have.', {
        available: fewNames(stream.relations.map((one) => one.name)),
      });
    const fields = asked.get(relation) ?? [];
    const field = name.slice(relation.name.length + 1);
    if (name !== relation.name)
      fields.push(getField(reader.target(stream, relation).fields, field, 'expand').name);
    asked.set(relation, fields);
  }
  return [...asked].map(([relation, fields]) => ({
    relation,
    fields: fields.length === 0 ? undefined : fields,
  }));
}

const MAX_RELATED = 5;
const SHORT_TEXTS = [200, 80, 0];

interface ExpandOptions {
  readonly relations: readonly Expansion[];
  readonly clock: Clock;
  readonly budget: Budget;
  readonly escaped: EscapeCount;
}

interface Expanded {
  /** By relation: the one record, null where there is none; of many records the first ones and their number. */
  readonly shown: Record<string, RelatedRows | ShortRow | null>;
  readonly related: Related[];
}

type ShortRow = Pick<RecordRow, 'id' | 'cut'> & Partial<RecordRow>;

interface RelatedRows {
  readonly records: RecordRow[];
  readonly total: number;
  readonly has_more: boolean;
}

/** Reads one level of related records, as many as fit; undefined where not even their number fits. */
export async function expandRecord(
  record: GrantedRecord,
  { relations, clock, budget, escaped }: ExpandOptions,
  context: ReadContext,
): Promise<Expanded | undefined> {
  const { reader } = context;
  const expansions = relations.map(({ relation, fields }) => {
    const target = reader.target(record.stream, relation);
    const key = record.record[relation.foreign_key];
    return { relation, fields, target, key, id: idOf({ stream: target, key: String(key) }) };
  });
  const nameOnly = (id: string): ShortRow => ({ id, cut: { '*': { id } } });
  const least = expansions.map(({ relation, id }) => [
    relation.name,
    relation.cardinality === 'has_one' ? nameOnly(id) : { records: [], total: 1_000_000, has_more: false },
  ]);
  if (!budget.take(Object.fromEntries(least))) return undefined;

  const shown: Expanded['shown'] = {};
  const related: Related[] = [];
  for (const { relation, fields, target: stream, key, id } of expansions) {
    const take = (found: GrantedRecord) =>
      takeRecord(showTimes(found, clock, context), { fields, budget, escaped, lengths: SHORT_TEXTS });
    if (relation.cardinality === 'has_one') {
      // Absent and not granted look the same.
      const found = key === undefined ? undefined : await reader.find(stream, String(key));
      shown[relation.name] = found === undefined ? null : (take(found) ?? nameOnly(id));
      related.push({ stream, records: found === undefined ? 0 : 1 });
    } else {
      const rows = await readMany(stream, relation, record.key, take, reader);
      shown[relation.name] = rows;
      related.push({ stream, records: rows.records.length });
    }
  }
  return { shown, related };
}

/** Reads the first records that point to a key, and their number. */
async function readMany(
  stream: GrantedStream,
  relation: Relationship,
  key: string,
  take: (found: GrantedRecord) => RecordRow | undefined,
  reader: GrantedReader,
): Promise<RelatedRows> {
  const conditions = [pointsTo(stream.fields, relation.foreign_key, key)];
  const sort = { field: stream.timeField, direction: 'asc' } as const;
  const { records: found } = await reader.page(stream, { conditions, sort, limit: MAX_RELATED });
  const total = found.length < MAX_RELATED ? found.length : await reader.count(stream, conditions);
  const records: RecordRow[] = [];
  for (const one of found) {
    const row = take(one);
    if (row === undefined) break;
    records.push(row);
  }
  return { records, total, has_more: records.length < total };
}
