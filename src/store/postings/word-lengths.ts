import { ByteReader, ByteWriter } from './bytes.ts';

/** Reused, because every record is encoded. */
const writer = new ByteWriter();

/** Encodes the number of words of each text column. */
export function encodeLengths(lengths: readonly number[]): Buffer {
  writer.clear();
  for (const length of lengths.slice(0, lengths.findLastIndex((one) => one > 0) + 1)) writer.number(length);
  return writer.copy();
}

/** Returns the number of words in the columns of a bit mask. */
export function sumLengths(encoded: Uint8Array, columns: number): number {
  const reader = new ByteReader(encoded);
  let sum = 0;
  for (let column = 0; reader.at < reader.end; column++) {
    const length = reader.number();
    if ((columns & (1 << column)) !== 0) sum += length;
  }
  return sum;
}
