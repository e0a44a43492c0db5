import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import { parseSort } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, type GrantedRead, namedFields, type ReadContext } from '../reads/granted-read.ts';
import type { Field, FieldKind } from '../schema-index/field.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeText, escapeValue } from '../text/escape-text.ts';
import { labelField } from './field-label.ts';
import { formatAmount } from './reading/amount.ts';
import { toEntries } from './reading/entries.ts';
import { readListPage } from './reading/list-page.ts';
import {
  describeFilters,
  type FilterChoice,
  listFilterChoices,
  parseFilters,
  type RequestedFilter,
  readKnownValues,
  type ShownFilter,
} from './reading/record-filters.ts';
import { areMessages, findRoles, type Roles } from './reading/roles.ts';
import { findHits, type SearchHits } from './search-hits.ts';

export interface RecordsInput {
  readonly connection_id: string;
  readonly stream: string;
  /** Words to search for; without them, all records. */
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  /** A field, "-" first for descending. */
  readonly sort?: string | undefined;
  readonly filters?: readonly RequestedFilter[] | undefined;
}

export interface Column {
  readonly name: string;
  /** The label of the field. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly sortable: boolean;
}

export interface RecordLine {
  readonly id: string;
  /** The title, else the beginning of the text, else the key. */
  readonly name: string;
  readonly who: string | null;
  /** The beginning of its text, unless the name is the same. */
  readonly said: string | null;
  /** One per column; null if absent. */
  readonly values: readonly unknown[];
  /** Formatted amounts; null for other values. */
  readonly amounts: readonly (string | null)[];
}

export interface RecordList {
  readonly time_zone: string;
  readonly connection_id: string;
  readonly connection: string;
  readonly connector_key: string;
  readonly stream: string;
  readonly label: string;
  readonly detail: string | null;
  /** The heading of the first column. */
  readonly named_by: string;
  readonly columns: readonly Column[];
  readonly sort: string | null;
  readonly filters: readonly ShownFilter[];
  readonly choices: readonly FilterChoice[];
  readonly count: number | null;
  readonly rows: readonly RecordLine[];
  readonly hits: SearchHits | null;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

/** About three screens on a phone. */
const SHOWN = 25;
const MAX_COLUMNS = 6;
const LINE_LENGTH = 160;
const CELL_LENGTH = 500;

/** Lists the records of one stream, or searches them. */
export const recordsPage: GrantedRead<RecordsInput, RecordList> = {
  name: 'query_records',
  inWorker: 'records_page',
  async run(input, context) {
    const { reader } = context;
    const stream = findGranted(reader, input);
    const roles = findRoles(stream, reader);
    const known = await readKnownValues(stream, reader);
    const columns = chooseColumns(stream, roles, known.empty);
    const asked = input.filters ?? [];
    const head = {
      time_zone: reader.timeZone,
      connection_id: stream.connection.connection_id,
      connection: escapeText(stream.connection.display_name),
      connector_key: stream.connection.connector_key,
      stream: stream.name,
      label: escapeText(stream.label),
      detail: stream.detail === undefined ? null : escapeText(stream.detail),
      named_by: nameLead(stream, roles),
      columns: columns.map((field) => ({
        name: field.name,
        label: labelField(field),
        kind: field.kind,
        sortable: field.sort,
      })),
      sort: input.sort ?? null,
      filters: describeFilters(asked, stream),
      choices: listFilterChoices(stream, known),
    };
    if (input.q !== undefined) {
      const { connection_id, q, cursor } = input;
      const asked = { query: q, connection_id, streams: [stream.name], cursor };
      const found = await findHits(asked, context);
      const { has_more, next_cursor } = found.hits;
      const rest = { count: null, rows: [], hits: found.hits, has_more, next_cursor, previous_cursor: null };
      return { body: { ...head, ...rest }, tokens: 0, disclosure: found.disclosure };
    }
    const { rows, count, previous, next, disclosure } = await readRows(stream, columns, input, context);
    const rest = { count, rows, hits: null, has_more: next !== null };
    const body = { ...head, ...rest, next_cursor: next, previous_cursor: previous };
    return { body, tokens: 0, disclosure };
  },
};

/** Throws the same error for a stream that is not granted and one that does not exist. */
export function findGranted(
  reader: GrantedReader,
  place: Pick<RecordsInput, 'connection_id' | 'stream'>,
): GrantedStream {
  const stream = reader.streams.find(
    (one) => one.name === place.stream && one.connection.connection_id === place.connection_id,
  );
  if (stream === undefined) throw new AppError('not_found', 'Stream not found.');
  return stream;
}

async function readRows(
  stream: GrantedStream,
  columns: readonly Field[],
  input: RecordsInput,
  context: ReadContext,
) {
  const { reader, now } = context;
  const asked = input.filters ?? [];
  const conditions = parseFilters(asked, stream, { now: now.getTime(), timeZone: reader.timeZone });
  const page = await readListPage(
    {
      stream,
      conditions,
      sort: parseSort(input.sort, [stream]),
      size: SHOWN,
      query: [asked, input.sort],
      cursor: input.cursor,
    },
    context,
  );
  const entries = await toEntries(stream, page.records, reader, LINE_LENGTH);
  const rows = entries.map(({ id, name, who, text }, i): RecordLine => {
    const { record = {}, long } = page.records[i] ?? {};
    const isName = text === null || name.startsWith(text.replace(/\s+/g, ' ').trim().slice(0, 40));
    return {
      id,
      name,
      who,
      said: isName ? null : text,
      values: columns.map((column) => toCell(record[column.name], long?.has(column.name) === true)),
      amounts: columns.map((column) => formatAmount(column, record, record[column.name])),
    };
  });
  const disclosure = disclose(
    [stream],
    namedFields([stream], listShown(stream, columns, context), new Map([[stream, conditions]])),
    rows.length,
  );
  return { ...page, rows, count: await reader.count(stream, conditions), disclosure };
}

function listShown(stream: GrantedStream, columns: readonly Field[], { reader }: ReadContext): string[] {
  const { title, body, conversation, mine, authors } = findRoles(stream, reader);
  const lead = [title, body, conversation, mine].flatMap((name) => name ?? []);
  return [...new Set([...lead, ...authors, ...columns.map(({ name }) => name)])];
}

/** Cuts a value to the length of a cell. */
function toCell(value: unknown, isLong: boolean): unknown {
  if (value === undefined || value === null) return null;
  const safe = escapeValue(value);
  if (typeof safe !== 'string' && typeof safe !== 'object') return safe;
  const text = typeof safe === 'string' ? safe : JSON.stringify(safe);
  return text.length <= CELL_LENGTH && !isLong ? safe : `${cutText(text, CELL_LENGTH)}…`;
}

/** Chooses the fields of the declared view, else short fields; time first. */
function chooseColumns(stream: GrantedStream, roles: Roles, empty: ReadonlySet<string>): Field[] {
  const declared = stream.suggestedColumns.flatMap((name) => stream.fields.get(name) ?? []);
  const short = [...stream.fields.values()].filter(({ kind }) => kind !== 'text' && kind !== 'json');
  // Skips fields shown in the first column, and keys.
  const leading = new Set([
    roles.title,
    roles.body,
    roles.mine,
    ...(areMessages(roles) ? roles.authors : []),
  ]);
  const keys = new Set([...stream.primaryKey, ...stream.relations.map(({ foreign_key }) => foreign_key)]);
  const isName = ({ name }: Field) => leading.has(name) || keys.has(name) || /(^|_)id$/.test(name);
  const time = stream.timeField === undefined ? [] : [stream.timeField];
  const conversation = roles.conversation === undefined ? [] : (stream.fields.get(roles.conversation) ?? []);
  const units = new Set(short.flatMap(({ unit }) => unit ?? []));
  // Units are shown with their amounts.
  const shown = (fields: readonly Field[]) =>
    fields.filter((field) => !isName(field) && !units.has(field.name) && !empty.has(field.name));
  const rest = shown(declared).length > 0 ? shown(declared) : shown(short);
  return [...new Set([...time, ...rest, ...[conversation].flat()])].slice(0, MAX_COLUMNS);
}

function nameLead(stream: GrantedStream, roles: Roles): string {
  const lead = stream.fields.get(roles.title ?? roles.body ?? roles.conversation ?? '');
  return lead === undefined ? 'Record' : labelField(lead);
}
