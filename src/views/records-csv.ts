import type { GrantedRecord } from '../reader/granted-record.ts';
import { parseSort } from '../reader/pager.ts';
import type { Caller } from '../reads/admission.ts';
import { disclose, type GrantedRead, namedFields } from '../reads/granted-read.ts';
import { type RunRead, readPage } from '../reads/run-read.ts';
import { writeCsvLine } from '../text/csv.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeValue } from '../text/escape-text.ts';
import { readListPage } from './reading/list-page.ts';
import { parseAsked } from './reading/record-filters.ts';
import { findGranted, type RecordsInput } from './records.ts';

/** Records per read, and characters per chunk. */
const READ_AT_ONCE = 100;
const PIECE_CHARACTERS = 1_000_000;
/** Three times the limit of a spreadsheet cell. */
const CELL_CHARACTERS = 100_000;

interface Piece {
  readonly text: string;
  readonly next: string | null;
}

/**
 * Streams all records and fields of a list as CSV chunks. Each chunk is audited; all show one snapshot.
 */
export async function writeRecordsCsv(
  run: RunRead,
  input: RecordsInput,
  viewer: Caller,
): Promise<AsyncGenerator<string>> {
  // Reads the first chunk before responding, so that an error can still set the status.
  const first = await readPage(run, csvPiece, input, viewer);
  return (async function* () {
    let piece = first;
    for (;;) {
      yield piece.text;
      if (piece.next === null) return;
      piece = await readPage(run, csvPiece, { ...input, cursor: piece.next }, viewer);
    }
  })();
}

/** A chunk of the list. */
export const csvPiece: GrantedRead<RecordsInput, Piece> = {
  name: 'query_records',
  inWorker: 'records_csv',
  async run(input, context) {
    const { reader, now } = context;
    const stream = findGranted(reader, input);
    const names = [...stream.fields.keys()];
    const asked = input.filters ?? [];
    const conditions = parseAsked(asked, stream, { now: now.getTime(), timeZone: reader.timeZone });
    const request = { stream, conditions, sort: parseSort(input.sort, [stream]), size: READ_AT_ONCE };
    let text = input.cursor === undefined ? writeCsvLine(names) : '';
    let cursor = input.cursor;
    let records = 0;
    do {
      const page = await readListPage({ ...request, query: ['csv', asked, input.sort], cursor }, context);
      cursor = page.next ?? undefined;
      for (const [at, record] of page.records.entries()) {
        text += writeCsvLine(await readCells(record, names));
        records += 1;
        if (text.length < PIECE_CHARACTERS) continue;
        if (at + 1 < page.records.length) cursor = page.after(record);
        break;
      }
    } while (cursor !== undefined && text.length < PIECE_CHARACTERS);
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
    const held = long.get(name);
    const whole = held === undefined ? record[name] : await held.whole(CELL_CHARACTERS);
    cells.push(
      held !== undefined && whole === undefined
        ? `${cutText(await held.slice(0, CELL_CHARACTERS + 1), CELL_CHARACTERS)}…`
        : escapeValue(whole),
    );
  }
  return cells;
}
