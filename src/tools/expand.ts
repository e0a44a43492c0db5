import { AppError } from '../errors.ts';
import { type Clock, pointsTo } from '../filter/filter.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ReadContext, Related } from '../reads/granted-read.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import { getField } from '../schema-index/find-field.ts';
import type { EscapeCount } from '../text/escape-text.ts';
import { fewNames } from '../text/suggest.ts';
import { type Budget, showTimes } from './envelope.ts';
import { idOf, type RecordRow, takeRecord } from './record-view.ts';

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

interface ExpandOptions {
  readonly relations: readonly Expansion[];
  readonly clock: Clock;
  readonly budget: Budget;
  readonly escaped: EscapeCount;
}

/** One level of related records, as many as fit; undefined when there is no room even to say how many. */
export async function expandRecord(
  record: GrantedRecord,
  { relations, clock, budget, escaped }: ExpandOptions,
  context: ReadContext,
): Promise<Expanded | undefined> {
  const targets = relations.map(({ relation }) => context.reader.target(record.stream, relation));
  const least = relations.map(({ relation }, at) => [
    relation.name,
    relation.cardinality === 'has_one'
      ? nameOnly(record, relation, targets[at] as GrantedStream)
      : { records: [], total: 1_000_000, has_more: false },
  ]);
  if (!budget.take(Object.fromEntries(least))) return undefined;
  const shown: Expanded['shown'] = {};
  const related: Related[] = [];
  for (const [at, expansion] of relations.entries()) {
    const stream = targets[at] as GrantedStream;
    const show = (found: GrantedRecord) => showTimes(found, clock, context);
    const follow = { record, expansion, target: stream, show, context, room: budget, escaped };
    const { name, cardinality } = expansion.relation;
    const found = cardinality === 'has_one' ? await followToOne(follow) : await followToMany(follow);
    shown[name] = found;
    const records = found === null ? 0 : 'records' in found ? found.records.length : 1;
    related.push({ stream, records });
  }
  return { shown, related };
}

export interface Expanded {
  /** The one record a relation leads to, null where there is none; of many the first few and how many there are. */
  readonly shown: Record<string, RelatedRows | ShortRow | null>;
  readonly related: Related[];
}

type ShortRow = Pick<RecordRow, 'id' | 'cut'> & Partial<RecordRow>;

interface RelatedRows {
  readonly records: RecordRow[];
  readonly total: number;
  readonly has_more: boolean;
}

interface Follow {
  readonly record: GrantedRecord;
  readonly expansion: Expansion;
  readonly target: GrantedStream;
  readonly show: (found: GrantedRecord) => GrantedRecord;
  readonly context: ReadContext;
  readonly room: Budget;
  readonly escaped: EscapeCount;
}

/** What a record points to. Absent and not granted look the same. */
async function followToOne(follow: Follow): Promise<ShortRow | null> {
  const { record, expansion, target, show, context, room, escaped } = follow;
  const key = record.record[expansion.relation.foreign_key];
  const found = key === undefined ? undefined : await context.reader.find(target, String(key));
  if (found === undefined) return null;
  const row = takeRecord(show(found), expansion.fields, room, escaped, { lengths: SHORT_TEXTS });
  return row ?? nameOnly(record, expansion.relation, target);
}

/** For a record that does not fit: its id, under which fetch has it whole. */
function nameOnly(record: GrantedRecord, relation: Relationship, target: GrantedStream): ShortRow {
  const id = idOf({ stream: target, key: String(record.record[relation.foreign_key]) });
  return { id, cut: { '*': { id } } };
}

/** The first few of what points to a record, and how many there are. */
async function followToMany(follow: Follow): Promise<RelatedRows> {
  const { record, expansion, target, show, context, room, escaped } = follow;
  const conditions = [pointsTo(target.fields, expansion.relation.foreign_key, record.key)];
  const sort = { field: target.timeField, direction: 'asc' } as const;
  const { records } = await context.reader.page(target, { conditions, sort, limit: SHOWN });
  const total = records.length < SHOWN ? records.length : await context.reader.count(target, conditions);
  return showAll(records.map(show), expansion.fields, total, room, escaped);
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
