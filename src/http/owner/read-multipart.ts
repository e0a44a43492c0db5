import { AppError } from '../../errors.ts';

/** One field or file of a form. Its body is read before the next part is asked for; what is left of it is passed over. */
export interface Part {
  readonly name: string;
  /** What the browser calls the file. Never a place: only a label. */
  readonly filename: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

const MOST_HEAD_BYTES = 16 * 1_024;

/** The parts of a multipart form as they come in. Holds a piece of the body at a time, however large it is. */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Part> {
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType,
  );
  if (boundary === null)
    throw new AppError('unsupported_media_type', 'The body must be multipart/form-data.');
  const mark = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`);
  const pieces = new Pieces(body);
  for await (const before of pieces.until(mark)) if (before.length > 0) throw malformed();
  while ((await pieces.take(2)).toString('latin1') === '\r\n') {
    const { name, filename } = parseHead(await readAll(pieces.until(Buffer.from('\r\n\r\n'))));
    const part = pieces.until(mark);
    yield { name, filename, body: part };
    for await (const _ of part);
  }
}

/** A short field whole. */
export async function readField(part: Part, mostBytes: number): Promise<string> {
  return (await readAll(part.body, mostBytes)).toString('utf8');
}

async function readAll(body: AsyncIterable<Uint8Array>, mostBytes = MOST_HEAD_BYTES): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) throw malformed();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseHead(head: Buffer): { name: string; filename: string | undefined } {
  const line = head
    .toString('utf8')
    .split('\r\n')
    .find((one) => /^content-disposition:/i.test(one));
  const find = (key: string) => new RegExp(`[;\\s]${key}="([^"]*)"`, 'i').exec(line ?? '')?.[1];
  const name = find('name');
  if (name === undefined) throw malformed();
  // Browsers write a quote and the ends of lines in this way, and nothing else.
  const filename = find('filename')?.replace(/%(22|0A|0D)/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return { name, filename };
}

/** Bytes that come in pieces, looked through for marks that may lie across two of them. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  // The first mark has no line before it that it could end.
  #held = Buffer.from('\r\n');

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Everything up to a mark, which is taken too. */
  async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) {
        const before = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + mark.length);
        if (before.length > 0) yield before;
        return;
      }
      const sure = this.#held.length - mark.length + 1;
      if (sure > 0) {
        const before = this.#held.subarray(0, sure);
        this.#held = this.#held.subarray(sure);
        yield before;
      }
      await this.#more();
    }
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) await this.#more();
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done === true) throw malformed();
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
  }
}

function malformed(): AppError {
  return new AppError('invalid_argument', 'The form broke off or is not well formed.', {
    hint: 'Send it again.',
  });
}
