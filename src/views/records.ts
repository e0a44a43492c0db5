import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Field, FieldKind } from '../schema-index/field.ts';
import { escapeText } from '../text/escape-text.ts';
import { queryRecords } from '../tools/query-records.ts';
import { parseRecordId } from '../tools/record-id.ts';
import type { RecordRow } from '../tools/record-view.ts';
import type { GrantedRead, ToolAnswer, ToolContext } from '../tools/tool.ts';
import { showPage } from './page-read.ts';
import { findHits, type SearchHits } from './search-hits.ts';
import type { StreamNames } from './stream-names.ts';

export interface RecordsInput {
  readonly connection_id: string;
  readonly stream: string;
  /** Words to search for; without them, all records. */
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  /** A field, "-" first for descending. */
  readonly sort?: string | undefined;
  /** Only records that have this value in this field. */
  readonly field?: string | undefined;
  readonly value?: string | undefined;
}

export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly sortable: boolean;
}

export interface RecordLine {
  readonly id: string;
  /** The record's own title, or its key. */
  readonly name: string;
  /** One for each column; null where the record has none. */
  readonly values: readonly unknown[];
}

export interface RecordList {
  readonly time_zone: string;
  readonly connection_id: string;
  readonly connection: string;
  readonly connector_key: string;
  readonly stream: string;
  readonly label: string;
  readonly detail: string | null;
  /** What names a record: a field of it, or its key. */
  readonly named_by: string;
  readonly columns: readonly Column[];
  readonly sort: string | null;
  /** `shown` is the value for people to read. */
  readonly filter: { readonly field: string; readonly value: string; readonly shown: string } | null;
  readonly count: number | null;
  readonly rows: readonly RecordLine[];
  readonly hits: SearchHits | null;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const SHOWN = 50;
const MOST_COLUMNS = 6;

/** The records of one stream as a table, or those of them that a search finds. */
export const recordsPage: GrantedRead<RecordsInput & { readonly names: StreamNames }, RecordList> = {
  name: 'query_records',
  async run(input, context) {
    const stream = findGranted(context.reader, input);
    const { label, detail, summary } = input.names(input.connection_id, input.stream);
    const columns = chooseColumns(stream, summary);
    const head = {
      time_zone: context.reader.timeZone,
      connection_id: stream.connection.connection_id,
      connection: escapeText(stream.connection.display_name),
      connector_key: stream.connection.connector_key,
      stream: stream.name,
      label,
      detail,
      named_by: stream.titleField ?? stream.primaryKey.join(', '),
      columns: columns.map(({ name, kind, sort }) => ({ name, kind, sortable: sort })),
      sort: input.sort ?? null,
      filter: readFilter(input),
    };
    if (input.q !== undefined) {
      const { connection_id, q, cursor } = input;
      const found = await findHits({ query: q, connection_id, streams: [stream.name], cursor }, context);
      const { has_more, next_cursor } = found.hits;
      const view = { ...head, count: null, rows: [], hits: found.hits, has_more, next_cursor };
      return showPage(view, found.disclosure);
    }
    const { body, disclosure } = await readRows(stream, columns, input, context);
    const { data, count, has_more, next_cursor } = body as {
      data: RecordRow[];
      count: number;
      has_more: boolean;
      next_cursor?: string;
    };
    const rows = data.map((row) => toLine(row, stream, columns, context.origin));
    const view = { ...head, count, rows, hits: null, has_more, next_cursor: next_cursor ?? null };
    return showPage(view, disclosure);
  },
};

/** A stream that is not granted is as unknown as one that does not exist. */
function findGranted(reader: GrantedReader, input: RecordsInput): GrantedStream {
  const stream = reader.streams.find(
    (one) => one.name === input.stream && one.connection.connection_id === input.connection_id,
  );
  if (stream === undefined) throw new AppError('not_found', 'There is no such stream.');
  return stream;
}

function readRows(
  stream: GrantedStream,
  columns: readonly Field[],
  input: RecordsInput,
  context: ToolContext,
): Promise<ToolAnswer> {
  const fields = [...(stream.titleField === undefined ? stream.primaryKey : [stream.titleField])];
  const filter = readFilter(input);
  return queryRecords.run(
    {
      stream: stream.name,
      connection_id: stream.connection.connection_id,
      fields: [...new Set([...fields, ...columns.map((column) => column.name)])].filter((name) =>
        stream.fields.has(name),
      ),
      limit: SHOWN,
      count: 'exact',
      ...(input.sort === undefined ? {} : { sort: input.sort }),
      ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
      ...(filter === null
        ? {}
        : { filter: { [filter.field]: typed(filter.value, stream.fields.get(filter.field)?.kind) } }),
    },
    context,
  );
}

function readFilter({ field, value }: RecordsInput): RecordList['filter'] {
  return field === undefined || value === undefined ? null : { field, value, shown: escapeText(value) };
}

/** Addresses hold text; filters compare numbers with numbers. */
function typed(value: string, kind: FieldKind | undefined): unknown {
  if (kind === 'boolean') return value === 'true';
  return (kind === 'integer' || kind === 'number') &&
    value.trim() !== '' &&
    Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;
}

/** The publisher's own short view where there is one, else the fields that fit into a cell; time first. */
function chooseColumns(stream: GrantedStream, summary: readonly string[]): Field[] {
  const granted = [...stream.fields.values()];
  const declared = summary.flatMap((name) => stream.fields.get(name) ?? []);
  const short = granted.filter(({ kind }) => kind !== 'text' && kind !== 'json');
  // A key of this record or another one says little in a table; the record itself has them all.
  const isName = ({ name }: Field) =>
    name === stream.titleField || stream.primaryKey.includes(name) || /(^|_)id$/.test(name);
  const time = stream.timeField === undefined ? [] : [stream.timeField];
  const rest = (declared.length > 0 ? declared : short).filter((field) => !isName(field));
  return [...new Set([...time, ...rest])].slice(0, MOST_COLUMNS);
}

function toLine(
  row: RecordRow,
  stream: GrantedStream,
  columns: readonly Field[],
  origin: string,
): RecordLine {
  const title = stream.titleField === undefined ? undefined : row.record[stream.titleField];
  const name = typeof title === 'string' && title.trim() !== '' ? title : keyOf(row.id, origin);
  return { id: row.id, name, values: columns.map((column) => row.record[column.name] ?? null) };
}

/** The key of a record as people may read it. */
export function keyOf(id: string, origin: string): string {
  return escapeText(parseRecordId(id, origin).keys[0] ?? id);
}
