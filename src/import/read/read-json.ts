import type { InputFile } from '../importer.ts';
import { decodeText, isPlainUtf8 } from './decode-text.ts';
import { parseExactJson } from './exact-json.ts';
import { BrokenJson, JsonSplitter, type SplitValue } from './json-splitter.ts';

/** What reading gives: values with the way to them, and what could not be read. After a problem it may go on. */
export type JsonElement =
  | { readonly kind: 'element'; readonly path: readonly (string | number)[]; readonly value: unknown }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

export interface JsonOptions {
  /** No single value may be longer. */
  readonly mostBytes?: number;
  /** The JSON begins after the first of these, as in `window.data = [...]`. */
  readonly after?: '=';
}

const MOST_BYTES = 32 * 2 ** 20;

/**
 * The values at the paths, in the order of the file: `*` for the elements of the top list (or the values of the top
 * object), `chats.list.*.messages.*` for those further down, the empty path for all as one. Keys of an object may
 * come in any order, so what must be known before the elements is read by a first pass of its own.
 */
export async function* readJsonElements(
  file: InputFile,
  paths: readonly string[],
  options: JsonOptions = {},
): AsyncGenerator<JsonElement> {
  const most = options.mostBytes ?? MOST_BYTES;
  const splitter = new JsonSplitter(paths, most);
  let count = 0;
  const read = function* (values: readonly SplitValue[]): Generator<JsonElement> {
    for (const { path, bytes } of values) {
      count += 1;
      yield readValue(path, bytes, most);
    }
  };
  try {
    for await (const chunk of await openBytes(file, options.after)) yield* read(splitter.push(chunk));
    yield* read(splitter.end());
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    yield* read(splitter.found);
    yield { kind: 'problem', place: `after ${count.toLocaleString('en')} values`, reason: error.message };
  }
}

/** A whole small file. */
export async function readJson(
  file: InputFile,
  options: JsonOptions = {},
): Promise<
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'broken'; readonly reason: string }
> {
  for await (const element of readJsonElements(file, [''], options)) {
    if (element.kind === 'problem') return { kind: 'broken', reason: element.reason };
    return { kind: 'value', value: element.value };
  }
  return { kind: 'broken', reason: 'is empty' };
}

function readValue(
  path: readonly (string | number)[],
  bytes: Uint8Array | undefined,
  most: number,
): JsonElement {
  const place = path.map((key) => (typeof key === 'number' ? key + 1 : key)).join('.');
  if (bytes === undefined)
    return { kind: 'problem', place, reason: `is larger than ${Math.round(most / 2 ** 20)} MB` };
  const parsed = parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  return parsed.kind === 'broken'
    ? { kind: 'problem', place, reason: parsed.reason }
    : { kind: 'element', path, value: parsed.value };
}

/** As UTF-8, whatever it was, without the mark and without what stands before. */
async function openBytes(file: InputFile, after: '=' | undefined): Promise<AsyncIterable<Uint8Array>> {
  const bytes = isPlainUtf8(await file.head()) ? file.open() : encode((await decodeText(file)).pieces);
  return after === undefined ? bytes : skipPast(bytes, after.charCodeAt(0));
}

async function* encode(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece, 'utf8');
}

async function* skipPast(chunks: AsyncIterable<Uint8Array>, mark: number): AsyncGenerator<Uint8Array> {
  let found = false;
  for await (const chunk of chunks) {
    const at = found ? -1 : chunk.indexOf(mark);
    if (!found && at === -1) continue;
    found = true;
    yield chunk.subarray(at + 1);
  }
}
