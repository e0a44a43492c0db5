import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
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
  readonly maxBytes?: number;
  /** The JSON begins after the first of these, as in `window.data = [...]`. */
  readonly after?: '=';
}

const MAX_BYTES = 32 * 2 ** 20;

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
  const most = options.maxBytes ?? MAX_BYTES;
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

/** A part of a document: a whole value, the end of one that was given member by member, or what is broken. */
export type JsonPart = JsonElement | { readonly kind: 'end'; readonly path: readonly (string | number)[] };

/** Longer lists and objects are given member by member. */
const MAX_CONTAINER_BYTES = 2 ** 20;

/** All of a document, as few and as large values as fit into the memory, some at a time. */
export async function* readJsonParts(file: InputFile): AsyncGenerator<readonly JsonPart[]> {
  const splitter = new JsonSplitter({ maxContainerBytes: MAX_CONTAINER_BYTES }, MAX_BYTES);
  const read = (values: readonly SplitValue[]) => values.flatMap((value) => readPart(value));
  try {
    for await (const chunk of await openBytes(file, undefined)) {
      yield read(splitter.push(chunk));
      await yieldToEventLoop();
    }
    yield read(splitter.end());
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const found = read(splitter.found);
    yield [...found, { kind: 'problem', place: 'at its end', reason: error.message }];
  }
}

/** A broken member spoils none of those around it, so a broken list is opened. An element is told as a whole. */
function readPart({ path, bytes, isEnd }: SplitValue): JsonPart[] {
  if (isEnd === true) return [{ kind: 'end', path }];
  const part = readValue(path, bytes, MAX_BYTES);
  const isContainer = bytes !== undefined && (bytes[0] === 0x5b || bytes[0] === 0x7b);
  if (part.kind === 'element' || !isContainer || typeof path.at(-1) === 'number') return [part];
  const splitter = new JsonSplitter(['*'], MAX_BYTES);
  const below = (values: readonly SplitValue[]) =>
    values.flatMap((value) => readPart({ ...value, path: [...path, ...value.path] }));
  try {
    return [...below(splitter.push(bytes)), { kind: 'end', path }];
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return [...below(splitter.found), part];
  }
}

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
