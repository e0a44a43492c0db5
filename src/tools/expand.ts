import { AppError } from '../errors.ts';
import type { GrantedRecord } from '../grants/granted-reader.ts';
import type { GrantedStream } from '../grants/granted-stream.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Condition } from '../schema-index/filter.ts';
import { toSlotValue } from '../schema-index/slot-value.ts';
import type { EscapeCount } from './escape-text.ts';
import { Budget, measure } from './projector.ts';
import { type RecordRow, showRecord } from './record-view.ts';
import type { ToolContext } from './tool.ts';

/** Related records shown per relation: enough to see, the rest by a query of their own. */
const SHOWN = 5;
const SHORT_TEXTS = [200, 80, 0];

/** The relations that were asked for by name; a relation into what is not granted is not known. */
export function findRelations(stream: GrantedStream, names: readonly string[] | undefined): Relationship[] {
  return (names ?? []).map((name) => {
    const relation = stream.relations.find((one) => one.name === name);
    if (relation !== undefined) return relation;
    throw new AppError('unknown_field', 'expand names a relation that this stream does not have.', {
      available: stream.relations.map((one) => one.name),
    });
  });
}

/** One level of related records, as many as fit beside the record itself. */
export async function expandRecord(
  record: GrantedRecord,
  relations: readonly Relationship[],
  context: ToolContext,
  budget: Budget,
  row: RecordRow | undefined,
  escaped: EscapeCount,
): Promise<Record<string, unknown>> {
  const own = row === undefined ? { tokens: 0, bytes: 0 } : measure(row);
  const room = new Budget(budget.left.tokens - own.tokens - 20, budget.left.bytes - own.bytes - 80);
  const expanded: Record<string, unknown> = {};
  for (const relation of relations) {
    room.take({ [relation.name]: { records: [], total: 1_000_000, has_more: false } });
    expanded[relation.name] = await followRelation(record, relation, context, room, escaped);
  }
  return expanded;
}

async function followRelation(
  record: GrantedRecord,
  relation: Relationship,
  context: ToolContext,
  room: Budget,
  escaped: EscapeCount,
) {
  const { reader } = context;
  const target = reader.target(record.stream, relation);
  if (relation.cardinality === 'has_one') {
    const key = record.record[relation.foreign_key];
    const found = key === undefined ? undefined : await reader.find(target, String(key));
    return showAll(found === undefined ? [] : [found], found === undefined ? 0 : 1, room, escaped);
  }
  const conditions = pointsTo(target, relation, record.key);
  const sort = { field: target.timeField, direction: 'asc' } as const;
  const { records } = await reader.page(target, { conditions, sort, limit: SHOWN });
  const total = records.length < SHOWN ? records.length : await reader.count(target, conditions);
  return showAll(records, total, room, escaped);
}

function pointsTo(target: GrantedStream, relation: Relationship, key: string): Condition[] {
  const field = target.fields.get(relation.foreign_key);
  if (field === undefined) throw new Error('a relation without its foreign key was offered');
  const value = toSlotValue(field.kind === 'list' ? 'string' : field.kind, key, 'UTC');
  return [{ field, op: 'any', values: [value] }];
}

function showAll(records: readonly GrantedRecord[], total: number, room: Budget, escaped: EscapeCount) {
  const rows: RecordRow[] = [];
  for (const record of records) {
    const row = showRecord(record, undefined, room, escaped, SHORT_TEXTS);
    if (row === undefined || !room.take(row)) break;
    rows.push(row);
  }
  return { records: rows, total, has_more: rows.length < total };
}
