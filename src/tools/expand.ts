import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Clock, Condition } from '../schema-index/filter.ts';
import { getField } from '../schema-index/find-field.ts';
import { toSlotValue } from '../schema-index/slot-value.ts';
import type { EscapeCount } from '../text/escape-text.ts';
import { fewNames } from '../text/nearest-name.ts';
import { showTimes } from './clock.ts';
import type { Related, ToolContext } from './granted-read.ts';
import type { Budget } from './projector.ts';
import { type RecordRow, takeRecord } from './record-view.ts';

/** Related records shown per relation: enough to see, the rest by a query of their own. */
const SHOWN = 5;
const SHORT_TEXTS = [200, 80, 0];

/** A relation to follow, and which fields of what it leads to are shown. */
export interface Expansion {
  readonly relation: Relationship;
  /** Undefined for all of them. */
  readonly fields: readonly string[] | undefined;
}

/** The relations that were asked for by name, or field by field as `relation.field`; one that leads out of the grant is not known. */
export function findRelations(
  stream: GrantedStream,
  names: readonly string[] | undefined,
  reader: GrantedReader,
): Expansion[] {
  const asked = new Map<Relationship, string[]>();
  for (const name of names ?? []) {
    const relation = stream.relations.find((one) => name === one.name || name.startsWith(`${one.name}.`));
    if (relation === undefined)
      throw new AppError('unknown_field', 'expand names a relation that this stream does not have.', {
        available: fewNames(stream.relations.map((one) => one.name)),
      });
    const fields = asked.get(relation) ?? [];
    if (name !== relation.name)
      fields.push(
        getField(reader.target(stream, relation).fields, name.slice(relation.name.length + 1), 'expand').name,
      );
    asked.set(relation, fields);
  }
  return [...asked].map(([relation, fields]) => ({
    relation,
    fields: fields.length === 0 ? undefined : fields,
  }));
}

/** One level of related records, as many as fit; undefined when there is no room even to say how many. */
export async function expandRecord(
  record: GrantedRecord,
  relations: readonly Expansion[],
  clock: Clock,
  context: ToolContext,
  budget: Budget,
  escaped: EscapeCount,
): Promise<Expanded | undefined> {
  if (relations.length === 0) return { shown: {}, related: [] };
  const least = relations.map(({ relation: { name } }) => [
    name,
    { records: [], total: 1_000_000, has_more: false },
  ]);
  if (!budget.take(Object.fromEntries(least))) return undefined;
  const shown: Record<string, RelatedRows> = {};
  const related: Related[] = [];
  for (const { relation, fields } of relations) {
    const rows = await followRelation(record, { relation, fields }, clock, context, budget, escaped);
    shown[relation.name] = rows;
    related.push({ stream: context.reader.target(record.stream, relation), records: rows.records.length });
  }
  return { shown, related };
}

export interface Expanded {
  readonly shown: Record<string, RelatedRows>;
  readonly related: Related[];
}

interface RelatedRows {
  readonly records: RecordRow[];
  readonly total: number;
  readonly has_more: boolean;
}

async function followRelation(
  record: GrantedRecord,
  { relation, fields }: Expansion,
  clock: Clock,
  context: ToolContext,
  room: Budget,
  escaped: EscapeCount,
) {
  const { reader } = context;
  const target = reader.target(record.stream, relation);
  const show = (found: GrantedRecord) => showTimes(found, clock, context);
  if (relation.cardinality === 'has_one') {
    const key = record.record[relation.foreign_key];
    const found = key === undefined ? undefined : await reader.find(target, String(key));
    return showAll(
      found === undefined ? [] : [show(found)],
      fields,
      found === undefined ? 0 : 1,
      room,
      escaped,
    );
  }
  const conditions = pointsTo(target, relation, record.key);
  const sort = { field: target.timeField, direction: 'asc' } as const;
  const { records } = await reader.page(target, { conditions, sort, limit: SHOWN });
  const total = records.length < SHOWN ? records.length : await reader.count(target, conditions);
  return showAll(records.map(show), fields, total, room, escaped);
}

function pointsTo(target: GrantedStream, relation: Relationship, key: string): Condition[] {
  const field = target.fields.get(relation.foreign_key);
  if (field === undefined) throw new Error('a relation without its foreign key was offered');
  const value = toSlotValue(field.kind === 'list' ? 'string' : field.kind, key, 'UTC');
  return [{ field, op: 'any', values: [value] }];
}

function showAll(
  records: readonly GrantedRecord[],
  fields: readonly string[] | undefined,
  total: number,
  room: Budget,
  escaped: EscapeCount,
): RelatedRows {
  const rows: RecordRow[] = [];
  for (const record of records) {
    const row = takeRecord(record, fields, room, escaped, { lengths: SHORT_TEXTS });
    if (row === undefined) break;
    rows.push(row);
  }
  return { records: rows, total, has_more: rows.length < total };
}
