import { counterOf, minuteOfRid, ridOf } from '../records/rid.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';

/**
 * The records of one stream that hold a word, by ascending row id, each with the positions of the word in it. Row ids are
 * written as the difference of their minutes, then a counter. A position is a column and the offset of the word there. A
 * record without positions means that the word was removed from it.
 */

/** Text columns that a position can be in. */
const COLUMNS = 8;
/** The distance between the positions of two columns. No text has as many words. */
export const COLUMN_SPAN = 2 ** 32;

/** Returns a position as one number, which grows with the column and then with the offset. */
export function positionOf(column: number, offset: number): number {
  return column * COLUMN_SPAN + offset;
}

/** Writes one posting list. Records are added by ascending row id, and the positions of a record in their order. */
export class PostingWriter {
  readonly #into: ByteWriter;
  #minute = 0;
  #counter = -1;

  constructor(into: ByteWriter) {
    this.#into = into;
  }

  /** Adds a record with the positions of the word in it. */
  add(rid: number, positions: readonly number[]): void {
    this.#addRecord(rid);
    writePositions(this.#into, positions);
  }

  /** Adds a record with positions as another list holds them. */
  copy(rid: number, bytes: Uint8Array, start: number, end: number): void {
    this.#addRecord(rid);
    this.#into.bytes(bytes, start, end);
  }

  #addRecord(rid: number): void {
    const [minute, counter] = [minuteOfRid(rid), counterOf(rid)];
    const minutes = minute - this.#minute;
    if (minutes < 0 || (minutes === 0 && counter <= this.#counter))
      throw new Error('records of a posting list are out of order');
    const isPlain = minutes > 0 && counter === 0;
    this.#into.number(minutes * 2 + (isPlain ? 0 : 1));
    if (!isPlain) this.#into.number(minutes === 0 ? counter - this.#counter : counter);
    this.#minute = minute;
    this.#counter = counter;
  }
}

/** Writes the positions of a word in one record. None means that the word was removed. */
function writePositions(into: ByteWriter, positions: readonly number[]): void {
  if (positions.length === 0) into.number(0);
  let lastColumn = -1;
  let lastOffset = 0;
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number;
    const [column, offset] = [Math.floor(position / COLUMN_SPAN), position % COLUMN_SPAN];
    const more = at + 1 < positions.length ? 1 : 0;
    const whole = offset * COLUMNS + column;
    if (at === 0) into.number(1 + whole * 2 + more);
    else if (column === lastColumn) into.number((offset - lastOffset) * 4 + more);
    else into.number(whole * 4 + 2 + more);
    lastColumn = column;
    lastOffset = offset;
  }
}

/** Reads a posting list record by record. */
export class PostingReader {
  /** The present record. */
  rid = 0;
  /** A bit for each column that the word occurs in. None means that the word was removed. */
  columns = 0;
  /** Where the positions of the record begin and end in the list. */
  positionsStart = 0;
  positionsEnd = 0;
  readonly bytes: Uint8Array;
  readonly #streamId: number;
  readonly #reader: ByteReader;
  #minute = 0;
  #counter = -1;

  constructor(bytes: Uint8Array, streamId: number, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#streamId = streamId;
    this.#reader = new ByteReader(bytes, start, end);
  }

  /** Goes to the next record and adds its positions to a list. Returns false at the end. */
  next(positions?: number[]): boolean {
    const reader = this.#reader;
    if (reader.at >= reader.end) return false;
    const id = reader.number();
    const minutes = id >>> 1;
    const counter = id % 2 === 0 ? 0 : reader.number();
    this.#counter = minutes === 0 ? this.#counter + counter : counter;
    this.#minute += minutes;
    this.rid = ridOf(this.#minute, this.#streamId, this.#counter);
    this.positionsStart = reader.at;
    this.columns = readPositions(reader, positions);
    this.positionsEnd = reader.at;
    return true;
  }
}

/** Reads the positions of one record. Returns a bit for each column. */
function readPositions(reader: ByteReader, positions: number[] | undefined): number {
  const first = reader.number();
  if (first === 0) return 0;
  const whole = Math.floor((first - 1) / 2);
  let column = whole % COLUMNS;
  let offset = (whole - column) / COLUMNS;
  let columns = 1 << column;
  positions?.push(positionOf(column, offset));
  for (let more = (first - 1) % 2; more === 1; ) {
    const code = reader.number();
    more = code % 2;
    const rest = Math.floor(code / 4);
    if (code % 4 < 2) offset += rest;
    else {
      column = rest % COLUMNS;
      offset = (rest - column) / COLUMNS;
      columns |= 1 << column;
    }
    positions?.push(positionOf(column, offset));
  }
  return columns;
}

/** Returns the positions of one record. */
export function decodePositions(bytes: Uint8Array, start: number, end: number): number[] {
  const positions: number[] = [];
  readPositions(new ByteReader(bytes, start, end), positions);
  return positions;
}
