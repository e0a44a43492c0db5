import type { StoryWorld } from '../../../support/story-world.ts';
import type { ToolResult } from '../../../support/world.ts';
import { findExactPath } from './exact-path.ts';

const MAX_PAGES = 60;

interface Side {
  readonly world: StoryWorld;
  readonly token: string;
}

/** One reader of two worlds that look the same to it. */
export interface Pair {
  readonly here: Side;
  readonly there: Side;
  /** Changes something in the second world that the reader must not notice. */
  disturb(): Promise<void>;
  /** Lets an app that may read everything ask the same first, so that no cache serves one app the data of another. */
  askAsOther?(tool: string, args: Record<string, unknown>): Promise<void>;
  /**
   * Whether this call goes over REST where that can say it. It runs the same tool on the same reader and gives the
   * same text; what MCP wraps around it costs more than most calls, and is a function of that text alone.
   */
  goesOverRest?(): boolean;
  /** Changes the arguments of every request. */
  spoil?(args: Record<string, unknown>): Record<string, unknown>;
}

/** Two worlds that should look the same and do not. */
class Difference extends Error {
  constructor(request: string, here: string, there: string) {
    let at = 0;
    while (at < here.length && here[at] === there[at]) at += 1;
    const around = (text: string) => text.slice(Math.max(0, at - 120), at + 200);
    super(`${request.slice(0, 400)}\n  here:  ${around(here)}\n  there: ${around(there)}`);
  }
}

export interface Handle {
  cursor?: string;
  changes_since?: string;
}

export type Handles = readonly [here: Handle, there: Handle];

/** Follows the handles of both worlds side by side to the end, or for so many pages. */
export async function comparePages(
  pair: Pair,
  tool: string,
  args: Record<string, unknown>,
  handles: Handles = [{}, {}],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  let next: Handles | undefined = handles;
  for (let page = 0; next !== undefined && page < most; page++) {
    if (page >= MAX_PAGES) throw new Error('the pages never end');
    const step = await compare(pair, tool, args, next);
    next = step.more ? carry(next, step.handles) : undefined;
    if (next !== undefined) await pair.disturb();
  }
}

/** A page of changes goes on with the same changes_since and a cursor. */
function carry(before: Handles, after: Handles): Handles {
  return [
    { ...before[0], ...after[0] },
    { ...before[1], ...after[1] },
  ];
}

/** One call in both worlds. Throws when the answers differ. */
export async function compare(
  pair: Pair,
  tool: string,
  drawn: Record<string, unknown>,
  handles: Handles = [{}, {}],
): Promise<{ more: boolean; handles: Handles; nextOffset: number | undefined }> {
  const args = pair.spoil?.(drawn) ?? drawn;
  await pair.askAsOther?.(tool, args);
  const sent = [
    { ...args, ...handles[0] },
    { ...args, ...handles[1] },
  ] as const;
  const paths = pair.goesOverRest?.() === true ? sent.map((one) => findExactPath(tool, one)) : [];
  const [a, b] =
    paths[0] === undefined || paths[1] === undefined
      ? [await callTool(pair.here, tool, sent[0]), await callTool(pair.there, tool, sent[1])]
      : [await readPath(pair.here, paths[0]), await readPath(pair.there, paths[1])];
  expectSame(`${tool} ${JSON.stringify(args)}`, a.text, b.text);
  return {
    more: a.body.has_more === true,
    handles: [handleOf(a.body), handleOf(b.body)],
    nextOffset: a.body.metadata?.next_offset,
  };
}

/** What a reader sees, made comparable, and the body to find handles in. */
interface Seen {
  readonly text: string;
  readonly body: ToolResult['structuredContent'];
}

async function callTool({ world, token }: Side, tool: string, args: object): Promise<Seen> {
  const result = await world.call(token, tool, args);
  return { text: normalise(result).join('\n'), body: result.structuredContent };
}

async function readPath({ world, token }: Side, path: string): Promise<Seen> {
  const response = await world.request(path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  return { text: `${response.status} ${normaliseText(text)}`, body: JSON.parse(text) };
}

export function expectSame(request: string, here: string, there: string): void {
  if (here !== there) throw new Difference(request, here, there);
}

function handleOf(body: Seen['body']): Handle {
  if (body.next_cursor !== undefined) return { cursor: body.next_cursor };
  return body.next_changes_since === undefined ? {} : { changes_since: body.next_changes_since };
}

/** Both channels as text, with request ids taken out and of handles only their length left. */
export function normalise({ content, structuredContent, isError }: ToolResult): string[] {
  return [String(isError), content[0]?.text ?? '', JSON.stringify(structuredContent)].map(normaliseText);
}

function normaliseText(text: string): string {
  return text
    .replace(/"request_id":"[^"]*"/g, '"request_id":"-"')
    .replace(
      /"(next_cursor|next_changes_since)":"([^"]*)"/g,
      (_, name, handle) => `"${name}":${handle.length}`,
    );
}

/** A read over REST in both worlds. */
export async function comparePath(pair: Pair, path: string): Promise<void> {
  const [here, there] = await Promise.all([pair.here, pair.there].map((side) => readPath(side, path)));
  expectSame(path, (here as Seen).text, (there as Seen).text);
}

/** The same read as a call of a tool, as far as a query string can say it. */
export function toPath(tool: string, args: Record<string, unknown>): string {
  const { stream, id, ...rest } = args;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (name === 'also') for (const one of value as string[]) query.append(name, one);
    else if (Array.isArray(value)) query.set(name, value.join(','));
    else if (name === 'filter' || name === 'ranges') query.set(name, JSON.stringify(value));
    else if (value !== undefined) query.set(name, String(value));
  }
  const parts = (list: unknown[]) => list.map((part) => encodeURIComponent(String(part))).join('/');
  const record = String(id).split('/');
  const path = {
    schema: stream === undefined ? 'schema' : `streams/${parts([stream])}`,
    query_records: `streams/${parts([stream])}/records`,
    aggregate: `streams/${parts([stream])}/aggregate`,
    search: 'search',
    fetch: `streams/${parts(record.slice(-2, -1))}/records/${parts(record.slice(-1))}`,
  }[tool];
  return `/v1/${path}?${query}`;
}
