import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { parseSort } from '../reader/pager.ts';
import { disclose, type GrantedRead, namedFields, type ReadContext } from '../reads/granted-read.ts';
import type { Field, FieldKind } from '../schema-index/field.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeText, escapeValue } from '../text/escape-text.ts';
import type { StreamNames } from './describe-access.ts';
import { labelField } from './field-label.ts';
import { formatAmount } from './reading/amount.ts';
import { toEntries } from './reading/entries.ts';
import { readLeaf } from './reading/leaf.ts';
import {
  type AskedFilter,
  type FilterChoice,
  listFilterChoices,
  parseAsked,
  readKnownValues,
  type ShownFilter,
  showAsked,
} from './reading/record-filters.ts';
import { findRoles, isSpoken, type Roles } from './reading/roles.ts';
import { findHits, type SearchHits } from './search-hits.ts';

export interface RecordsInput {
  readonly connection_id: string;
  readonly stream: string;
  /** Words to search for; without them, all records. */
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  /** A field, "-" first for descending. */
  readonly sort?: string | undefined;
  readonly filters?: readonly AskedFilter[] | undefined;
}

export interface Column {
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly sortable: boolean;
}

export interface RecordLine {
  readonly id: string;
  /** The record's own title, or the beginning of what it says, or its key. */
  readonly name: string;
  readonly who: string | null;
  /** How its text begins, where the name is not that already. */
  readonly said: string | null;
  /** One for each column; null where the record has none. */
  readonly values: readonly unknown[];
  /** The same for people, where it is an amount. */
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
  /** What the names in the first column are. */
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

/** On a phone a page of a list takes three screens. */
const SHOWN = 25;
const MAX_COLUMNS = 6;
const LINE_LENGTH = 160;
const CELL_LENGTH = 500;

/** The records of one stream as a table, or those of them that a search finds. */
export const recordsPage: GrantedRead<RecordsInput & { readonly names: StreamNames }, RecordList> = {
  name: 'query_records',
  async run(input, context) {
    const { reader } = context;
    const stream = findGranted(reader, input);
    const { label, detail, summary } = input.names(input.connection_id, input.stream);
    const roles = findRoles(stream, reader);
    const known = await readKnownValues(stream, reader);
    const columns = chooseColumns(stream, roles, summary, known.empty);
    const asked = input.filters ?? [];
    const head = {
      time_zone: reader.timeZone,
      connection_id: stream.connection.connection_id,
      connection: escapeText(stream.connection.display_name),
      connector_key: stream.connection.connector_key,
      stream: stream.name,
      label,
      detail,
      named_by: nameLead(stream, roles),
      columns: columns.map((field) => ({
        name: field.name,
        label: labelField(field),
        kind: field.kind,
        sortable: field.sort,
      })),
      sort: input.sort ?? null,
      filters: showAsked(asked, stream),
      choices: listFilterChoices(stream, known),
    };
    if (input.q !== undefined) {
      const { connection_id, q, cursor } = input;
      const asked = { query: q, connection_id, streams: [stream.name], cursor };
      const found = await findHits(asked, input.names, context);
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

/** A stream that is not granted is as unknown as one that does not exist. */
export function findGranted(
  reader: GrantedReader,
  place: Pick<RecordsInput, 'connection_id' | 'stream'>,
): GrantedStream {
  const stream = reader.streams.find(
    (one) => one.name === place.stream && one.connection.connection_id === place.connection_id,
  );
  if (stream === undefined) throw new AppError('not_found', 'There is no such stream.');
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
  const conditions = parseAsked(asked, stream, { now: now.getTime(), timeZone: reader.timeZone });
  const leaf = await readLeaf(
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
  const entries = await toEntries(stream, leaf.records, reader, LINE_LENGTH);
  const rows = entries.map(({ id, name, who, text }, i): RecordLine => {
    const { record = {}, long } = leaf.records[i] ?? {};
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
  return { ...leaf, rows, count: await reader.count(stream, conditions), disclosure };
}

function listShown(stream: GrantedStream, columns: readonly Field[], { reader }: ReadContext): string[] {
  const { title, body, talk, mine, authors } = findRoles(stream, reader);
  const lead = [title, body, talk, mine].flatMap((name) => name ?? []);
  return [...new Set([...lead, ...authors, ...columns.map(({ name }) => name)])];
}

/** A value as far as a cell may show it. */
function toCell(value: unknown, isLong: boolean): unknown {
  if (value === undefined || value === null) return null;
  const safe = escapeValue(value);
  if (typeof safe !== 'string' && typeof safe !== 'object') return safe;
  const text = typeof safe === 'string' ? safe : JSON.stringify(safe);
  return text.length <= CELL_LENGTH && !isLong ? safe : `${cutText(text, CELL_LENGTH)}…`;
}

/** The publisher's own short view where there is one, else the fields that fit into a cell; time first. */
function chooseColumns(
  stream: GrantedStream,
  roles: Roles,
  summary: readonly string[],
  empty: ReadonlySet<string>,
): Field[] {
  const declared = summary.flatMap((name) => stream.fields.get(name) ?? []);
  const short = [...stream.fields.values()].filter(({ kind }) => kind !== 'text' && kind !== 'json');
  // What leads the line is not said again, and a key of this record or another one says little in a table.
  const leading = new Set([roles.title, roles.body, roles.mine, ...(isSpoken(roles) ? roles.authors : [])]);
  const keys = new Set([...stream.primaryKey, ...stream.relations.map(({ foreign_key }) => foreign_key)]);
  const isName = ({ name }: Field) => leading.has(name) || keys.has(name) || /(^|_)id$/.test(name);
  const time = stream.timeField === undefined ? [] : [stream.timeField];
  const talk = roles.talk === undefined ? [] : (stream.fields.get(roles.talk) ?? []);
  const units = new Set(short.flatMap(({ unit }) => unit ?? []));
  // An amount is shown with what it is counted in.
  const told = (fields: readonly Field[]) =>
    fields.filter((field) => !isName(field) && !units.has(field.name) && !empty.has(field.name));
  const rest = told(declared).length > 0 ? told(declared) : told(short);
  return [...new Set([...time, ...rest, ...[talk].flat()])].slice(0, MAX_COLUMNS);
}

function nameLead(stream: GrantedStream, roles: Roles): string {
  const lead = stream.fields.get(roles.title ?? roles.body ?? roles.talk ?? '');
  return lead === undefined ? 'Record' : labelField(lead);
}
