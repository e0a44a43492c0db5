export interface MboxMessage {
  readonly raw: Buffer;
  /** The separator line; most writers put the delivery time there. */
  readonly envelope: string;
  /** Its size in the file: more than `raw` if it was cut. */
  readonly bytes: number;
}

/** Mail servers accept some 50 MB. Text precedes attachments, so the beginning is useful. */
export const MAX_MESSAGE_BYTES = 24 * 2 ** 20;
const MAX_LINE_BYTES = 1_000;

const HAS_TIME = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\b\d{1,2}:\d\d\b.*\b\d{4}\b/;
const LIKE_HEADER = /^(?:>From |[!-9;-~]+:(?:\s|$))/;

/**
 * Splits an mbox at its "From " lines. Some writers omit the empty line before it, some the time, some do not
 * quote "From " in the text. Two of three signs must be present: an empty line before, a time in it, a header
 * after it. Yields all mails of a chunk at once.
 */
export async function* splitMbox(chunks: AsyncIterable<Uint8Array>): AsyncIterable<MboxMessage[]> {
  // As if an empty line preceded the first byte. `from` is the start of the pending mail.
  let buffer: Buffer = Buffer.from('\n\n');
  let from = buffer.length;
  let open: OpenMessage | undefined;

  const take = (last: number): MboxMessage[] => {
    const messages: MboxMessage[] = [];
    for (let at = from - 1; ; ) {
      const found = buffer.indexOf('\nFrom ', at);
      if (found < 0 || found >= last) break;
      const end = endOfLine(buffer, found + 1);
      if (!isCut(buffer, found, end)) {
        at = found + 1;
        continue;
      }
      open?.add(buffer.subarray(from, found + 1));
      if (open !== undefined) messages.push(open.close());
      open = new OpenMessage(buffer.toString('latin1', found + 1, end).trim());
      from = Math.min(end + 1, buffer.length);
      at = from - 1;
    }
    const end = Math.max(from, last);
    open?.add(buffer.subarray(from, end));
    // A few bytes stay, to see whether the line before the next separator is empty.
    const start = Math.max(0, end - 4);
    buffer = Buffer.from(buffer.subarray(start));
    from = end - start;
    return messages;
  };

  let isFirst = true;
  for await (const chunk of chunks) {
    buffer = Buffer.concat([buffer, isFirst ? withoutMark(chunk) : chunk]);
    isFirst = false;
    // A "From " line is checked only when the text after it has arrived.
    yield take(buffer.length - 2 * MAX_LINE_BYTES);
  }
  const last = take(buffer.length);
  yield open === undefined ? last : [...last, open.close()];
}

class OpenMessage {
  readonly #envelope: string;
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #bytes = 0;

  constructor(envelope: string) {
    this.#envelope = envelope;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    const free = MAX_MESSAGE_BYTES - this.#size;
    if (free <= 0 || piece.length === 0) return;
    this.#pieces.push(piece.subarray(0, free));
    this.#size += Math.min(free, piece.length);
  }

  close(): MboxMessage {
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    return { raw: unquote(whole), envelope: this.#envelope, bytes: this.#bytes };
  }
}

function isCut(buffer: Buffer, newline: number, end: number): boolean {
  const before = buffer[newline - 1] === 0x0d ? newline - 2 : newline - 1;
  const votes = [
    buffer[before] === 0x0a,
    HAS_TIME.test(buffer.toString('latin1', newline + 1, end)),
    LIKE_HEADER.test(buffer.toString('latin1', end + 1, endOfLine(buffer, end + 1))),
  ];
  return votes.filter(Boolean).length >= 2;
}

function endOfLine(buffer: Buffer, start: number): number {
  const found = buffer.indexOf(0x0a, start);
  const end = found < 0 ? buffer.length : found;
  return Math.min(end, start + MAX_LINE_BYTES);
}

/** Reverses the quoting of "From " at the start of a line. */
function unquote(raw: Buffer): Buffer {
  const body = raw.subarray(0, 6).toString('latin1') === '>From ' ? raw.subarray(endOfLine(raw, 0) + 1) : raw;
  if (!body.includes('>From ')) return body;
  return Buffer.from(body.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
}

function withoutMark(chunk: Uint8Array): Uint8Array {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}
