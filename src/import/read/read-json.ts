import { parse } from 'lossless-json';
import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../../text/json.ts';
import type { InputFile } from '../importer.ts';
import { decodeText, isPlainUtf8 } from './decode-text.ts';
import { BrokenJson, JsonSplitter, type SplitValue } from './json-splitter.ts';

/** A value with its path, or a problem. Reading may continue after a problem. */
export type JsonElement =
  | { readonly kind: 'element'; readonly path: readonly (string | number)[]; readonly value: unknown }
  | { readonly kind: 'problem'; readonly place?: string; readonly reason: string };

export interface JsonOptions {
  /** The maximum size of one value. */
  readonly maxBytes?: number;
  /** The JSON starts after the first such character, as in `window.data = [...]`. */
  readonly after?: '=';
}

const MAX_VALUE_BYTES = 32 * 2 ** 20;

/**
 * Yields the values at the paths, in file order: `*` for the elements of the top list or object,
 * `chats.list.*.messages.*` for deeper ones, the empty path for the whole document. Keys can come in any order, so read
 * values that you need first in a separate pass.
 */
export async function* readJsonElements(
  file: InputFile,
  paths: readonly string[],
  options: JsonOptions = {},
): AsyncGenerator<JsonElement> {
  const maxBytes = options.maxBytes ?? MAX_VALUE_BYTES;
  const splitter = new JsonSplitter(paths, maxBytes);
  let count = 0;
  const read = function* (values: readonly SplitValue[]): Generator<JsonElement> {
    for (const { path, bytes } of values) {
      count += 1;
      yield readValue(path, bytes, maxBytes);
    }
  };
  try {
    for await (const chunk of await openBytes(file, options.after)) yield* read(splitter.push(chunk));
    yield* read(splitter.end());
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    yield* read(splitter.found);
    const place = error.isCutOff ? {} : { place: `after ${count.toLocaleString('en')} values` };
    yield { kind: 'problem', ...place, reason: error.message };
  }
}

/** A value, the end of a container that was returned member by member, or a problem. */
export type JsonPart = JsonElement | { readonly kind: 'end'; readonly path: readonly (string | number)[] };

/** Longer lists and objects are returned member by member. */
const MAX_CONTAINER_BYTES = 2 ** 20;

/** Yields a whole document in as few values as fit into memory, several at a time. */
export async function* readJsonParts(file: InputFile): AsyncGenerator<readonly JsonPart[]> {
  const splitter = new JsonSplitter({ maxContainerBytes: MAX_CONTAINER_BYTES }, MAX_VALUE_BYTES);
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
    yield [...found, { kind: 'problem', reason: error.message }];
  }
}

/** Parses a value. A broken container is split, so that its other members are still read; a list element is not. */
function readPart({ path, bytes, isEnd }: SplitValue): JsonPart[] {
  if (isEnd === true) return [{ kind: 'end', path }];
  const part = readValue(path, bytes, MAX_VALUE_BYTES);
  const isContainer = bytes !== undefined && (bytes[0] === 0x5b || bytes[0] === 0x7b);
  if (part.kind === 'element' || !isContainer || typeof path.at(-1) === 'number') return [part];
  const splitter = new JsonSplitter(['*'], MAX_VALUE_BYTES);
  const below = (values: readonly SplitValue[]) =>
    values.flatMap((value) => readPart({ ...value, path: [...path, ...value.path] }));
  try {
    return [...below(splitter.push(bytes)), { kind: 'end', path }];
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return [...below(splitter.found), part];
  }
}

/** Reads a whole file as one JSON value. */
export async function readJson(file: InputFile, options: JsonOptions = {}): Promise<ParsedJson> {
  for await (const element of readJsonElements(file, [''], options)) {
    if (element.kind === 'problem') return { kind: 'broken', reason: element.reason };
    return { kind: 'value', value: element.value };
  }
  return { kind: 'broken', reason: 'is empty' };
}

function readValue(
  path: readonly (string | number)[],
  bytes: Uint8Array | undefined,
  maxBytes: number,
): JsonElement {
  const place = path.map((key) => (typeof key === 'number' ? key + 1 : key)).join('.');
  if (bytes === undefined)
    return { kind: 'problem', place, reason: `is larger than ${Math.round(maxBytes / 2 ** 20)} MB` };
  const parsed = parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  return parsed.kind === 'broken'
    ? { kind: 'problem', place, reason: parsed.reason }
    : { kind: 'element', path, value: parsed.value };
}

/** Opens the file as UTF-8, without a byte order mark and without the text before the JSON. */
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

export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

/** A number that may lose digits. Only then is the slower parser used. */
const LONG_NUMBER = /\d{16}/;

/** Parses JSON without rounding. Integers beyond 2^53 become strings of their digits. */
export function parseExactJson(text: string): ParsedJson {
  if (jsonDepth(text) > MAX_JSON_DEPTH)
    return { kind: 'broken', reason: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
  try {
    const value = LONG_NUMBER.test(text) ? parseLongNumbers(text) : (JSON.parse(text) as unknown);
    return { kind: 'value', value };
  } catch {
    return { kind: 'broken', reason: 'is not valid JSON' };
  }
}

function parseLongNumbers(text: string): unknown {
  const plain = JSON.parse(text) as unknown;
  // Most long digits are in strings, not in numbers.
  if (!/(?<![\d"])-?\d{16,}(?=\s*[,\]}]|\s*$)/.test(text)) return plain;
  return parse(text, undefined, { parseNumber: keepDigits, onDuplicateKey: ({ newValue }) => newValue });
}

function keepDigits(text: string): number | string {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number;
}
