import { AppError } from '../../errors.ts';
import { pointsTo } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext, Related } from '../../reads/granted-read.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import { parseDate, parseInstant, toUtc } from '../../time/instant.ts';
import type { StreamNames } from '../describe-access.ts';
import { labelWords } from '../field-label.ts';
import { type Entry, toEntries } from './entries.ts';
import { type ListPageRequest, readListPage } from './list-page.ts';
import { areMessages, findRoles } from './roles.ts';

export interface RelatedRecords {
  readonly relation: string;
  readonly stream: string;
  readonly label: string;
  /** `talk` for messages, `list` for other records, `one` for a parent record. */
  readonly form: 'talk' | 'list' | 'one';
  readonly records: readonly Entry[];
  readonly total: number;
  /** The foreign key field; null for `one`. */
  readonly field: string | null;
  readonly previous: string | null;
  readonly next: string | null;
  /** The time at which to open the parent conversation. */
  readonly at: string | null;
}

/** Where to open a list of related records. */
export interface Opening {
  readonly cursor?: string | undefined;
  /** A day, a time, or "end". */
  readonly at?: string | undefined;
}

interface Holder {
  readonly stream: GrantedStream;
  readonly key: string;
  readonly record: Readonly<Record<string, unknown>>;
}

const SHOWN = 50;
const SHOWN_BESIDE = 5;
const TEXT_LENGTH = 20_000;
const LINE_LENGTH = 200;

/** Reads related records. The first conversation, else the first list, is paged. */
export async function readRelated(
  holder: Holder,
  opening: Opening,
  names: StreamNames,
  context: ReadContext,
): Promise<{ related: RelatedRecords[]; read: Related[] }> {
  const { relations } = holder.stream;
  const main = findMain(holder.stream, context);
  const related: RelatedRecords[] = [];
  for (const relation of [
    ...(main === undefined ? [] : [main]),
    ...relations.filter((one) => one !== main),
  ]) {
    const found =
      relation.cardinality === 'has_one'
        ? await readOne(holder, relation, names, context)
        : await readMany(holder, relation, relation === main ? opening : undefined, names, context);
    if (found !== undefined) related.push(found);
  }
  const read = related.map(({ relation, records }) => ({
    stream: context.reader.target(holder.stream, relationOf(relations, relation)),
    records: records.length,
  }));
  return { related, read };
}

function findMain(stream: GrantedStream, context: ReadContext): Relationship | undefined {
  const many = stream.relations.filter(({ cardinality }) => cardinality === 'has_many');
  return many.find((one) => isConversation(stream, one, context)) ?? many[0];
}

function isConversation(stream: GrantedStream, relation: Relationship, { reader }: ReadContext): boolean {
  const target = reader.target(stream, relation);
  return target.timeField !== undefined && areMessages(findRoles(target, reader));
}

async function readOne(
  holder: Holder,
  relation: Relationship,
  names: StreamNames,
  context: ReadContext,
): Promise<RelatedRecords | undefined> {
  const { reader } = context;
  const target = reader.target(holder.stream, relation);
  const key = holder.record[relation.foreign_key];
  if (key === undefined || key === null) return undefined;
  const match = await reader.find(target, String(key));
  if (match === undefined) return undefined;
  const records = await toEntries(target, [match], reader, LINE_LENGTH);
  const back = target.relations.find(
    (one) =>
      one.cardinality === 'has_many' &&
      one.stream === holder.stream.name &&
      one.foreign_key === relation.foreign_key,
  );
  const { timeField } = holder.stream;
  const time = timeField === undefined ? undefined : holder.record[timeField.name];
  const isPlace = back !== undefined && back === findMain(target, context) && typeof time === 'string';
  return {
    ...describe(relation, target, names),
    form: 'one',
    records,
    total: 1,
    field: null,
    previous: null,
    next: null,
    at: isPlace ? time : null,
  };
}

async function readMany(
  holder: Holder,
  relation: Relationship,
  opening: Opening | undefined,
  names: StreamNames,
  context: ReadContext,
): Promise<RelatedRecords | undefined> {
  const { reader } = context;
  const target = reader.target(holder.stream, relation);
  const conditions = [pointsTo(target.fields, relation.foreign_key, holder.key)];
  const page = await readListPage(
    {
      stream: target,
      conditions,
      sort: new Map([[target, { field: target.timeField, direction: 'asc' }]]),
      size: opening === undefined ? SHOWN_BESIDE : SHOWN,
      query: [relation.name, holder.key],
      cursor: opening?.cursor,
      open: opening?.at === undefined ? undefined : openAt(opening.at, target, reader.timeZone),
    },
    context,
  );
  const total =
    page.next === null && page.previous === null
      ? page.records.length
      : await reader.count(target, conditions);
  if (total === 0) return undefined;
  const form = opening !== undefined && isConversation(holder.stream, relation, context) ? 'talk' : 'list';
  const { previous, next } = opening === undefined ? { previous: null, next: null } : page;
  return {
    ...describe(relation, target, names),
    form,
    records: await toEntries(target, page.records, reader, form === 'talk' ? TEXT_LENGTH : LINE_LENGTH),
    total,
    field: relation.foreign_key,
    previous,
    next,
    at: null,
  };
}

function describe(relation: Relationship, target: GrantedStream, names: StreamNames) {
  const { label } = names(target.connection.connection_id, target.name);
  return {
    relation: relation.name,
    stream: target.name,
    label: relation.name === target.name ? label : labelWords(relation.name),
  };
}

/** Parses a day of the owner's calendar, a time, or `end`. */
function openAt(at: string, { timeField }: GrantedStream, timeZone: string): ListPageRequest['open'] {
  if (at === 'end') return { at };
  if (timeField === undefined) return undefined;
  const zone = timeField.kind === 'date' ? 'UTC' : timeZone;
  const day = parseDate(at);
  const time = day === undefined ? parseInstant(at, zone) : toUtc(day, zone);
  if (time === undefined)
    throw new AppError('invalid_argument', 'The day is not valid.', {
      hint: 'Write days as 2026-03-01.',
    });
  return { at: time };
}

function relationOf(relations: readonly Relationship[], name: string): Relationship {
  return relations.find((one) => one.name === name) as Relationship;
}
