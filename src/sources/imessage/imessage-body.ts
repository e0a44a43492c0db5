/**
 * The words of a message that are only there as a typed stream, the form in which older Apple programs wrote objects.
 * Of all that it can hold only the first string is wanted: a mark, a length of one, two or four bytes, UTF-8.
 */
export function readAttributedBody(body: Uint8Array | null | undefined): string | undefined {
  if (body === null || body === undefined) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const name = bytes.indexOf('NSString');
  if (name < 0) return undefined;
  // After the name of the class come a few bytes about it; the string itself is marked by a plus sign.
  const mark = bytes.indexOf(0x2b, name + 8);
  if (mark < 0 || mark > name + 24) return undefined;
  const { length, start } = readLength(bytes, mark + 1);
  if (start < 0 || start + length > bytes.length) return undefined;
  const text = bytes.toString('utf8', start, start + length);
  return text === '' ? undefined : text;
}

function readLength(bytes: Buffer, at: number): { length: number; start: number } {
  const first = bytes[at];
  if (first === undefined) return { length: 0, start: -1 };
  if (first === 0x81 && at + 3 <= bytes.length) return { length: bytes.readUInt16LE(at + 1), start: at + 3 };
  if (first === 0x82 && at + 5 <= bytes.length) return { length: bytes.readUInt32LE(at + 1), start: at + 5 };
  return { length: first, start: at + 1 };
}
