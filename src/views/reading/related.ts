import { AppError } from '../../errors.ts';
import { pointsTo } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext, Related } from '../../reads/granted-read.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import { escapeText } from '../../text/escape-text.ts';
import { parseDate, parseInstant, toUtc } from '../../time/instant.ts';
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

/** The position at which a list of related records starts. */
export interface ListStart {
  readonly cursor?: string | undefined;
  /** A day, a time, or "end". */
  readonly at?: string | undefined;
}

interface ParentRecord {
  readonly stream: GrantedStream;
  readonly key: string;
  readonly record: Readonly<Record<string, unknown>>;
}

const MAX_PAGE_RECORDS = 50;
const MAX_PREVIEW_RECORDS = 5;
const MAX_TEXT_CHARACTERS = 20_000;
const MAX_LINE_CHARACTERS = 200;

/** Reads related records. The first conversation, else the first list, is paged. */
export async function readRelated(
  parent: ParentRecord,
  listStart: ListStart,
  context: ReadContext,
): Promise<{ related: RelatedRecords[]; read: Related[] }> {
  const { relations } = parent.stream;
  const main = findMain(parent.stream, context);
  const related: RelatedRecords[] = [];
  for (const relation of [
    ...(main === undefined ? [] : [main]),
    ...relations.filter((one) => one !== main),
  ]) {
    const found =
      relation.cardinality === 'has_one'
        ? await readOne(parent, relation, context)
        : await readMany(parent, relation, relation === main ? listStart : undefined, context);
    if (found !== undefined) related.push(found);
  }
  const read = related.map(({ relation, records }) => ({
    stream: context.reader.target(parent.stream, relationOf(relations, relation)),
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
  parent: ParentRecord,
  relation: Relationship,
  context: ReadContext,
): Promise<RelatedRecords | undefined> {
  const { reader } = context;
  const target = reader.target(parent.stream, relation);
  const key = parent.record[relation.foreign_key];
  if (key === undefined || key === null) return undefined;
  const match = await reader.find(target, String(key));
  if (match === undefined) return undefined;
  const records = await toEntries(target, [match], reader, MAX_LINE_CHARACTERS);
  const back = target.relations.find(
    (one) =>
      one.cardinality === 'has_many' &&
      one.stream === parent.stream.name &&
      one.foreign_key === relation.foreign_key,
  );
  const { timeField } = parent.stream;
  const time = timeField === undefined ? undefined : parent.record[timeField.name];
  const isInConversation =
    back !== undefined && back === findMain(target, context) && typeof time === 'string';
  return {
    ...describe(relation, target),
    form: 'one',
    records,
    total: 1,
    field: null,
    previous: null,
    next: null,
    at: isInConversation ? time : null,
  };
}

async function readMany(
  parent: ParentRecord,
  relation: Relationship,
  listStart: ListStart | undefined,
  context: ReadContext,
): Promise<RelatedRecords | undefined> {
  const { reader } = context;
  const target = reader.target(parent.stream, relation);
  const conditions = [pointsTo(target.fields, relation.foreign_key, parent.key)];
  const page = await readListPage(
    {
      stream: target,
      conditions,
      sort: new Map([[target, { field: target.timeField, direction: 'asc' }]]),
      size: listStart === undefined ? MAX_PREVIEW_RECORDS : MAX_PAGE_RECORDS,
      query: [relation.name, parent.key],
      cursor: listStart?.cursor,
      open: listStart?.at === undefined ? undefined : openAt(listStart.at, target, reader.timeZone),
    },
    context,
  );
  const total =
    page.next === null && page.previous === null
      ? page.records.length
      : await reader.count(target, conditions);
  if (total === 0) return undefined;
  const form = listStart !== undefined && isConversation(parent.stream, relation, context) ? 'talk' : 'list';
  const { previous, next } = listStart === undefined ? { previous: null, next: null } : page;
  return {
    ...describe(relation, target),
    form,
    records: await toEntries(
      target,
      page.records,
      reader,
      form === 'talk' ? MAX_TEXT_CHARACTERS : MAX_LINE_CHARACTERS,
    ),
    total,
    field: relation.foreign_key,
    previous,
    next,
    at: null,
  };
}

function describe(relation: Relationship, target: GrantedStream) {
  return {
    relation: relation.name,
    stream: target.name,
    label: relation.name === target.name ? escapeText(target.label) : labelWords(relation.name),
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
