import { parseSort } from '../reader/granted-reader.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { Caller } from '../reads/admission.ts';
import { disclose, type GrantedRead, namedFields } from '../reads/granted-read.ts';
import { type RunRead, readPage } from '../reads/run-read.ts';
import { writeCsvLine } from '../text/csv.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeValue } from '../text/escape-text.ts';
import { readListPage } from './reading/list-page.ts';
import { parseFilters } from './reading/record-filters.ts';
import { findGranted, type RecordsInput } from './records.ts';

const RECORDS_PER_READ = 100;
const CHUNK_CHARACTERS = 1_000_000;
/** Three times the limit of a spreadsheet cell. */
const MAX_CELL_CHARACTERS = 100_000;

interface Chunk {
  readonly text: string;
  readonly next: string | null;
}

/** Streams all records and fields of a list as CSV, in chunks of one snapshot. Each chunk is audited. */
export async function writeRecordsCsv(
  run: RunRead,
  input: RecordsInput,
  viewer: Caller,
): Promise<AsyncGenerator<string>> {
  // Reads the first chunk before responding, so that an error can still set the status.
  const first = await readPage(run, csvChunk, input, viewer);
  return (async function* () {
    let chunk = first;
    for (;;) {
      yield chunk.text;
      if (chunk.next === null) return;
      chunk = await readPage(run, csvChunk, { ...input, cursor: chunk.next }, viewer);
    }
  })();
}

/** Reads the next chunk of a list. */
export const csvChunk: GrantedRead<RecordsInput, Chunk> = {
  name: 'query_records',
  inWorker: 'records_csv',
  async run(input, context) {
    const { reader, now } = context;
    const stream = findGranted(reader, input);
    const names = [...stream.fields.keys()];
    const filters = input.filters ?? [];
    const conditions = parseFilters(filters, stream, { now: now.getTime(), timeZone: reader.timeZone });
    const request = { stream, conditions, sort: parseSort(input.sort, [stream]), size: RECORDS_PER_READ };
    let text = input.cursor === undefined ? writeCsvLine(names) : '';
    let cursor = input.cursor;
    let records = 0;
    do {
      const page = await readListPage({ ...request, query: ['csv', filters, input.sort], cursor }, context);
      cursor = page.next ?? undefined;
      for (const [at, record] of page.records.entries()) {
        text += writeCsvLine(await readCells(record, names));
        records += 1;
        if (text.length < CHUNK_CHARACTERS) continue;
        if (at + 1 < page.records.length) cursor = page.after(record);
        break;
      }
    } while (cursor !== undefined && text.length < CHUNK_CHARACTERS);
    const fields = namedFields([stream], undefined, new Map([[stream, conditions]]));
    const disclosure = disclose([stream], fields, records);
    return { body: { text, next: cursor ?? null }, tokens: 0, disclosure };
  },
};

/** Reads the values of a record. Long values are cut. */
async function readCells({ record, long }: GrantedRecord, names: readonly string[]): Promise<unknown[]> {
  if (long === undefined) return names.map((name) => escapeValue(record[name]));
  const cells: unknown[] = [];
  for (const name of names) {
    const longValue = long.get(name);
    const value = longValue === undefined ? record[name] : await longValue.whole(MAX_CELL_CHARACTERS);
    cells.push(
      longValue !== undefined && value === undefined
        ? `${cutText(await longValue.slice(0, MAX_CELL_CHARACTERS + 1), MAX_CELL_CHARACTERS)}…`
        : escapeValue(value),
    );
  }
  return cells;
}
