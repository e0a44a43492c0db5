import { MAX_LINE_BYTES } from './parse-line.ts';

/**
 * Splits a stream of bytes at newlines, leaving the bytes as they are: what is not UTF-8 is for the ingest
 * to refuse, not for a decoder to repair. A line past the limit is cut just after it and the rest dropped,
 * so that one endless line cannot fill the memory; the ingest then refuses it by its length.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    if (length > MAX_LINE_BYTES) return;
    parts.push(part.subarray(0, MAX_LINE_BYTES + 1 - length));
    length += part.length;
  };
  const take = () => {
    const line = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
