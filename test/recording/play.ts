import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postLegacy, postModern } from '../support/mcp-post.ts';
import { createRecordedWorld, type RecordedWorld } from './recorded-world.ts';

/** One line of `requests.jsonl`. `$name` anywhere in it stands for an id or a handle of this run. */
interface RecordedRequest {
  /** Whose token is sent; `browser` is the owner's signed-in browser; nobody's where it is missing. */
  readonly as?: string;
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
  readonly rpc?: string;
  readonly params?: Record<string, unknown>;
  readonly era?: 2025;
  readonly get?: string;
  readonly accept?: string;
  readonly post?: string;
  readonly type?: string;
  readonly body?: string;
  /** Follows the handle of each answer to the next page, to the end. */
  readonly pages?: true;
  /** The name under which later requests find the handle of the last page. */
  readonly keep?: string;
}

interface RecordedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The JSON of the body where writing it again gives the same bytes, otherwise the text. */
  readonly body: unknown;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const HEADERS = [
  'allow',
  'cache-control',
  'content-disposition',
  'content-type',
  'link',
  'location',
  'retry-after',
  'vary',
  'www-authenticate',
];
const CURSOR = /(?<![\w-])[\w-]{16}\.[\w-]{16,}\.[\w-]{22}(?![\w-])/g;
const RANDOM_ID = /\b([a-z]+)_[0-9a-f]{16}\b/g;
/** Estimated tokens, which follow the length of random ids, and how long a read took. */
const MEASURED = /"(tokens|tokens_30_days|tokens_out|ms)":[\d.]+/g;
const MEASURED_IN_CSV = /,\d+,[\d.]+,(\w+),req_0/g;
const DATA_FOLDER = new RegExp(`${join(tmpdir(), 'pdpp-test-')}\\w+`, 'g');
const MAX_PAGES = 40;

export const ANSWERS = new URL('answers.jsonl', import.meta.url);

export function readLines(file: URL): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** The lines of `answers.jsonl` as this code would write them. */
export async function recordAnswers(): Promise<string[]> {
  const world = await createRecordedWorld();
  try {
    const requests = readLines(new URL('requests.jsonl', import.meta.url));
    const lines: string[] = [];
    for await (const one of play(
      world,
      requests.map((line) => JSON.parse(line)),
    ))
      lines.push(JSON.stringify(one));
    return lines;
  } finally {
    world.close();
  }
}

/** Sends the requests one after the other; each gives the answers of all its pages. */
async function* play(world: RecordedWorld, requests: readonly RecordedRequest[]) {
  const names = new Map(Object.entries(world.names));
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameId = (id: string, prefix: string) => {
    if (prefix === 'req') return 'req_0';
    const count = (counts.get(prefix) ?? 0) + (ids.has(id) ? 0 : 1);
    if (!ids.has(id)) ids.set(id, `${prefix}_number${count}`);
    counts.set(prefix, count);
    return ids.get(id) as string;
  };
  const normalise = (text: string) =>
    text
      .replaceAll(CURSOR, 'a-cursor')
      .replaceAll(RANDOM_ID, nameId)
      .replaceAll(world.names.upload as string, 'an-upload')
      .replaceAll(MEASURED, '"$1":0')
      .replaceAll(MEASURED_IN_CSV, ',0,0,$1,req_0')
      .replaceAll(DATA_FOLDER, '/data');

  for (const template of requests) {
    const request: RecordedRequest = JSON.parse(
      JSON.stringify(template).replace(/\$(\w+)/g, (whole, name) => names.get(name) ?? whole),
    );
    const answers: RecordedAnswer[] = [];
    let next: Handle | undefined;
    do {
      const raw = await send(world, next === undefined ? request : follow(request, next));
      answers.push(describe(raw, normalise));
      next = findHandle(raw.text);
    } while (request.pages && next?.isPage && answers.length < MAX_PAGES);
    if (answers.length === MAX_PAGES) throw new Error(`does not end: ${JSON.stringify(template)}`);
    if (request.keep !== undefined && next !== undefined) names.set(request.keep, next.value);
    yield { request: template, answers };
  }
}

async function send(world: RecordedWorld, request: RecordedRequest): Promise<RawAnswer> {
  const { as, tool, args, rpc, params, get, post, type, body, accept } = request;
  const token = as === undefined ? undefined : world.tokens[as];
  const method = tool === undefined ? rpc : 'tools/call';
  if (method !== undefined) {
    const sent = tool === undefined ? params : { name: tool, arguments: args ?? {} };
    const call = request.era === 2025 ? postLegacy : postModern;
    return call(world, token ?? '', method, sent);
  }
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(accept === undefined ? {} : { accept }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  const path = get ?? post ?? '';
  if (as === 'browser') return world.owner.send(path, { headers });
  const init = { headers, ...(post === undefined ? {} : { method: 'POST', body: body ?? '' }) };
  const response = await world.request(path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

interface Handle {
  readonly value: string;
  readonly parameter: 'cursor' | 'before' | 'offset';
  /** Leads to another page of the same answer, and not to what changes later. */
  readonly isPage: boolean;
}

const PARAMETERS = {
  next_cursor: 'cursor',
  next: 'cursor',
  next_before: 'before',
  next_offset: 'offset',
  next_changes_since: 'cursor',
} as const;

/** What leads on from an answer, whichever surface gave it. */
function findHandle(text: string): Handle | undefined {
  const found = /"(next_cursor|next|next_before|next_offset|next_changes_since)":"?([^",}]+)/.exec(text);
  const [, name, value] = found ?? [];
  if (name === undefined || value === undefined || value === 'null') return undefined;
  const parameter = PARAMETERS[name as keyof typeof PARAMETERS];
  return { value, parameter, isPage: name !== 'next_changes_since' };
}

function follow(request: RecordedRequest, { value, parameter }: Handle): RecordedRequest {
  if (request.get === undefined)
    return {
      ...request,
      args: { ...request.args, [parameter]: parameter === 'offset' ? Number(value) : value },
    };
  const url = new URL(request.get, 'http://server.example');
  url.searchParams.set(parameter, value);
  return { ...request, get: `${url.pathname}${url.search}` };
}

function describe({ status, headers, text }: RawAnswer, normalise: (text: string) => string): RecordedAnswer {
  const sent = HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, normalise(value)]];
  });
  return { status, headers: Object.fromEntries(sent), body: shorten(normalise(text)) };
}

/** A tool's answer says everything twice: it is stored once if the two are equal. */
function shorten(text: string): unknown {
  const parsed = tryParse(text);
  if (parsed === undefined || JSON.stringify(parsed) !== text) return text;
  const { result } = parsed as { result?: { content?: { text?: string }[]; structuredContent?: unknown } };
  const [first] = result?.content ?? [];
  if (first?.text !== undefined && first.text === JSON.stringify(result?.structuredContent))
    first.text = 'the text of structuredContent';
  return parsed;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
