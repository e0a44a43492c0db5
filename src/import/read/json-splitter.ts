/** The bytes of one value and its path. `bytes` is undefined if the value is too long. */
export interface SplitValue {
  readonly path: readonly (string | number)[];
  readonly bytes: Uint8Array | undefined;
  /** The end of a container that was returned member by member. It has no bytes. */
  readonly isEnd?: true;
}

/** Splits by size instead of by paths: longer lists and objects are returned member by member. */
interface SplitBySize {
  readonly maxContainerBytes: number;
}

interface Frame {
  readonly isArray: boolean;
  key: string | number;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON, LINE_END] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x0a,
];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Limits the depth of paths. The depth of a value is checked when it is parsed. */
const MAX_PATH_DEPTH = 64;

const CUT_OFF = 'is cut off. Download it again.';

export class BrokenJson extends Error {
  /** Whether the file ends too early, as opposed to an error at a position. */
  get isCutOff(): boolean {
    return this.message === CUT_OFF;
  }
}

/**
 * Splits streamed JSON into the values at given paths. It only follows brackets and quotes and returns values as bytes,
 * so a broken value does not affect the ones around it. Several documents may follow one another on lines of their own.
 */
export class JsonSplitter {
  readonly #paths: readonly (readonly string[])[];
  readonly #maxBytes: number;
  readonly #maxContainerBytes: number | undefined;
  readonly #frames: Frame[] = [];
  /** Whether a line ended since the last value. */
  #isNewLine = false;
  #values: SplitValue[] = [];
  #expects: 'value' | 'key' | 'colon' | 'next' | 'nothing' = 'value';
  /** What the current bytes belong to. */
  #inside: 'key' | 'value' | 'skipped' | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #parts: Uint8Array[] = [];
  #length = 0;

  /** A path is keys joined with dots. `*` is any key or index, and the empty path is the whole document. */
  constructor(wanted: readonly string[] | SplitBySize, maxBytes: number) {
    const isBySize = 'maxContainerBytes' in wanted;
    this.#paths = isBySize ? [] : wanted.map((path) => (path === '' ? [] : path.split('.')));
    this.#maxContainerBytes = isBySize ? wanted.maxContainerBytes : undefined;
    this.#maxBytes = maxBytes;
  }

  get isDone(): boolean {
    return this.#expects === 'nothing';
  }

  /** Returns the values that end in this chunk. Throws BrokenJson; `found` then has the values before the error. */
  push(chunk: Uint8Array): SplitValue[] {
    this.#values = [];
    this.#split(chunk, 0);
    return this.#values;
  }

  #split(chunk: Uint8Array, from: number): void {
    let at = from;
    while (at < chunk.length) at = this.#inside === undefined ? this.#step(chunk, at) : this.#scan(chunk, at);
  }

  get found(): SplitValue[] {
    return this.#values;
  }

  /** Ends a last value that is a bare number or word. */
  end(): SplitValue[] {
    this.#values = [];
    const isBare = this.#inside !== 'key' && this.#depth === 0 && !this.#inString;
    if (this.#inside !== undefined && isBare) this.#finish();
    // If the document is cut off, its complete members are returned.
    while (this.#isOpenable()) this.#enter();
    if (this.#inside !== undefined || !this.isDone) throw new BrokenJson(CUT_OFF);
    return this.#values;
  }

  #step(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number;
    if (isSpace(byte)) {
      if (byte === LINE_END) this.#isNewLine = true;
      return at + 1;
    }
    const frame = this.#frames.at(-1);
    if (this.#expects === 'key') {
      if (byte === CLOSE) return this.#leave(at);
      if (byte !== QUOTE) throw new BrokenJson('is not valid JSON: a key is missing');
      this.#inside = 'key';
      return at;
    }
    if (this.#expects === 'colon') {
      if (byte !== COLON) throw new BrokenJson('is not valid JSON: a colon is missing');
      this.#expects = 'value';
      return at + 1;
    }
    if (this.#expects === 'next' && frame !== undefined) {
      if (byte === (frame.isArray ? CLOSE_LIST : CLOSE)) return this.#leave(at);
      if (byte !== COMMA) throw new BrokenJson('is not valid JSON: a comma is missing');
      if (frame.isArray) (frame.key as number) += 1;
      this.#expects = frame.isArray ? 'value' : 'key';
      return at + 1;
    }
    if (this.#expects === 'nothing') {
      // A script ends its assignment with a semicolon.
      if (byte === 0x3b) return at + 1;
      // JSON Lines: a document per line.
      if (this.#isNewLine && this.#maxContainerBytes === undefined && (byte === OPEN || byte === OPEN_LIST))
        return this.#beginValue(byte, at);
      throw new BrokenJson('is not valid JSON: text follows the end');
    }
    if (byte === CLOSE_LIST && frame?.isArray) return this.#leave(at);
    if (byte === COMMA || byte === COLON || byte === CLOSE || byte === CLOSE_LIST)
      throw new BrokenJson('is not valid JSON: a value is missing');
    return this.#beginValue(byte, at);
  }

  #beginValue(byte: number, at: number): number {
    this.#isNewLine = false;
    const match = this.#match();
    const isContainer = byte === OPEN || byte === OPEN_LIST;
    if (match === 'ancestor' && isContainer) {
      this.#open(byte === OPEN_LIST);
      return at + 1;
    }
    this.#inside = match === 'exact' ? 'value' : 'skipped';
    return at;
  }

  #open(isArray: boolean): void {
    if (this.#frames.length >= MAX_PATH_DEPTH) throw new BrokenJson('is nested too deeply');
    this.#frames.push({ isArray, key: isArray ? 0 : '' });
    this.#expects = isArray ? 'value' : 'key';
  }

  #match(): 'exact' | 'ancestor' | 'none' {
    if (this.#maxContainerBytes !== undefined) return 'exact';
    let match: 'ancestor' | 'none' = 'none';
    for (const path of this.#paths) {
      if (path.length < this.#frames.length) continue;
      const fits = this.#frames.every(({ key }, level) => path[level] === '*' || path[level] === String(key));
      if (fits && path.length === this.#frames.length) return 'exact';
      if (fits) match = 'ancestor';
    }
    return match;
  }

  /** Finds the end of a key or value: strings by quotes, containers by brackets. */
  #scan(chunk: Uint8Array, from: number): number {
    let at = from;
    let depth = this.#depth;
    let inString = this.#inString;
    let ended = false;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    while (at < chunk.length) {
      const byte = chunk[at] as number;
      if (inString) {
        if (byte === BACKSLASH) {
          at += 2;
          continue;
        }
        at += 1;
        if (byte !== QUOTE) continue;
        inString = false;
        ended = depth === 0;
      } else if (byte === QUOTE) {
        inString = true;
        at += 1;
      } else if (byte === OPEN || byte === OPEN_LIST) {
        depth += 1;
        at += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        // After a bare value, the bracket belongs to the container around it.
        if (depth === 0) ended = true;
        else {
          depth -= 1;
          at += 1;
          ended = depth === 0;
        }
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) ended = true;
      else at += 1;
      if (ended) break;
    }
    if (at > chunk.length) {
      this.#escaped = true;
      at = chunk.length;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#collect(chunk, from, at);
    if (this.#length > (this.#maxContainerBytes ?? Number.POSITIVE_INFINITY) && this.#isOpenable())
      this.#enter();
    else if (ended) this.#finish();
    return at;
  }

  /** Whether the current value is a container whose members can be returned instead. */
  #isOpenable(): boolean {
    const first = this.#parts[0]?.[0];
    return (
      this.#maxContainerBytes !== undefined &&
      this.#inside === 'value' &&
      (first === OPEN || first === OPEN_LIST)
    );
  }

  /** Splits the collected bytes of a container into its members. */
  #enter(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#reset();
    this.#open(bytes[0] === OPEN_LIST);
    this.#split(bytes, 1);
  }

  #collect(chunk: Uint8Array, from: number, to: number): void {
    if (this.#inside === 'skipped') return;
    this.#length += to - from;
    if (this.#length > this.#maxBytes) this.#parts = [];
    // A copy, because the caller may reuse the chunk.
    else this.#parts.push(chunk.slice(from, to));
  }

  #finish(): void {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
    const whole = this.#length <= this.#maxBytes ? bytes : undefined;
    const ended = this.#inside;
    this.#reset();
    this.#expects = ended === 'key' ? 'colon' : this.#frames.length === 0 ? 'nothing' : 'next';
    if (ended === 'key') (this.#frames.at(-1) as Frame).key = parseKey(whole);
    if (ended === 'value') this.#values.push({ path: this.#frames.map(({ key }) => key), bytes: whole });
  }

  #reset(): void {
    this.#inside = undefined;
    this.#parts = [];
    this.#length = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  #leave(at: number): number {
    this.#frames.pop();
    this.#expects = this.#frames.length === 0 ? 'nothing' : 'next';
    if (this.#maxContainerBytes !== undefined)
      this.#values.push({ path: this.#frames.map(({ key }) => key), bytes: undefined, isEnd: true });
    return at + 1;
  }
}

function parseKey(bytes: Uint8Array | undefined): string {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as string;
  } catch {
    throw new BrokenJson('is not valid JSON: a key cannot be read');
  }
}
