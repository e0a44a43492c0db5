import { LruCache } from '../../limits/cache.ts';
import type { Caller } from '../../reads/admission.ts';
import type { RunRead } from '../../reads/run-read.ts';
import { PARTS_KEY } from '../../text/hint.ts';
import { escapeJson, isPlainJson } from '../../text/json.ts';
import { tools } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import { serverInfo, toolList } from './tool-list.ts';

/** A well-formed `tools/list` or `tools/call` that is served without the protocol library. */
export interface DirectCall {
  readonly id: string | number;
  readonly era: 'legacy' | 'modern';
  /** Undefined for `tools/list`. */
  readonly tool?: Tool;
  readonly arguments?: unknown;
}

type GetHeader = (name: string) => string | undefined;

/** The versions before 2026 that the protocol library supports. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
export const MODERN_VERSION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const RESERVED_PREFIX = 'io.modelcontextprotocol/';
const MAX_ENVELOPES = 500;
/** A caller can send an envelope as long as a body, and the cache holds its text. */
const MAX_ENVELOPE_CHARACTERS = 2_000;

/** Caches whether the protocol library accepts an envelope: a client sends the same one with every request. */
const envelopes = new LruCache<string, boolean>(MAX_ENVELOPES);

/** Returns whether the protocol library accepts the envelope of a message. Without the library, none is accepted. */
let checkEnvelope: ((body: unknown) => boolean) | undefined;

/** Called when the library is loaded, which is late. */
export function setEnvelopeCheck(check: (body: unknown) => boolean): void {
  checkEnvelope = check;
}

/**
 * Returns the call in a message, or undefined if the message deviates from the exact form. The protocol library handles
 * the rest, so only its checks and errors apply.
 */
export function parseDirectCall(getHeader: GetHeader, body: unknown): DirectCall | undefined {
  if (!hasOnly(body, ['jsonrpc', 'id', 'method', 'params']) || body.jsonrpc !== '2.0') return undefined;
  const { id, method, params = {} } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!hasOnly(params, method === 'tools/call' ? ['name', 'arguments', '_meta'] : ['_meta']))
    return undefined;
  const tool = method === 'tools/call' ? tools.find(({ name }) => name === params.name) : undefined;
  if (tool === undefined && method !== 'tools/list') return undefined;
  if (params.arguments !== undefined && !isObject(params.arguments)) return undefined;
  const era = findEra(getHeader, body, tool, params._meta);
  if (era === undefined) return undefined;
  const call = { id: id as string | number, era };
  return tool === undefined ? call : { ...call, tool, arguments: params.arguments };
}

function findEra(
  getHeader: GetHeader,
  body: Record<string, unknown>,
  tool: Tool | undefined,
  meta: unknown = {},
): DirectCall['era'] | undefined {
  const accept = getHeader('accept');
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  if (!isObject(meta) || PARTS_KEY in meta || !isProgressToken(meta.progressToken)) return undefined;
  const version = getHeader('mcp-protocol-version');
  if (VERSION_KEY in meta) {
    const hasHeaders =
      version === MODERN_VERSION &&
      getHeader('mcp-method') === body.method &&
      getHeader('mcp-name') === tool?.name;
    return hasHeaders && meta[VERSION_KEY] === version && isEnvelope(body, meta) ? 'modern' : undefined;
  }
  const isLegacy =
    (version === undefined || LEGACY_VERSIONS.includes(version)) &&
    !Object.keys(meta).some((key) => key.startsWith(RESERVED_PREFIX));
  return isLegacy ? 'legacy' : undefined;
}

function isEnvelope(body: unknown, { progressToken: _, ...meta }: Record<string, unknown>): boolean {
  if (checkEnvelope === undefined) return false;
  const check = checkEnvelope;
  const text = JSON.stringify(meta);
  return text.length <= MAX_ENVELOPE_CHARACTERS && envelopes.getOrSet(text, () => check(body));
}

const isProgressToken = (value: unknown) =>
  value === undefined || typeof value === 'string' || Number.isSafeInteger(value);

function isObject(value: unknown): value is Record<string, unknown> {
  // The protocol library removes this key.
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__')
  );
}

function hasOnly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).every((key) => keys.includes(key));
}

export interface DirectServer {
  /** Returns the JSON-RPC response as text. */
  serve(call: DirectCall, caller: Caller, abort: AbortController): Promise<string>;
  /** Aborts a caller's in-flight call by its id. */
  cancel(caller: Caller, id: unknown): void;
}

/** Answers direct calls without the protocol library. Callers share nothing but constant texts. */
export function createDirectServer(
  runRead: RunRead,
  version: string,
  onListed: (caller: Caller) => Promise<void>,
): DirectServer {
  const list = `"tools":${escapeJson(JSON.stringify(toolList))}`;
  const metadata = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo(version) })}`;
  const suffixes = {
    legacy: { list: '', call: '' },
    modern: {
      list: `,"resultType":"complete","ttlMs":0,"cacheScope":"private",${metadata}`,
      call: `,"resultType":"complete",${metadata}`,
    },
  };
  const inFlight = new Map<string, Set<AbortController>>();

  const runTool = async (
    { id, tool, arguments: input }: DirectCall & Required<Pick<DirectCall, 'tool'>>,
    caller: Caller,
    abort: AbortController,
  ) => {
    const key = keyOf(caller, id);
    const calls = inFlight.get(key) ?? new Set();
    inFlight.set(key, calls.add(abort));
    try {
      return await runRead(tool, input, caller, { surface: 'mcp', signal: abort.signal });
    } finally {
      calls.delete(abort);
      if (calls.size === 0) inFlight.delete(key);
    }
  };

  return {
    async serve(call, caller, abort) {
      const wrapResult = (result: string) =>
        `{"result":{${result}},"jsonrpc":"2.0","id":${escapeJson(JSON.stringify(call.id))}}`;
      const { tool, era } = call;
      if (tool === undefined) {
        await onListed(caller);
        return wrapResult(list + suffixes[era].list);
      }
      const { text, isError } = await runTool({ ...call, tool }, caller, abort);
      const isPlain = isPlainJson(text);
      const [json, repeated] = [text, JSON.stringify(text)].map((one) => (isPlain ? one : escapeJson(one)));
      // The text repeats the structured content as JSON, because each client shows its model only one of the two.
      const content = `"content":[{"type":"text","text":${repeated}}]`;
      return wrapResult(
        `${content},"structuredContent":${json}${isError ? ',"isError":true' : ''}${suffixes[era].call}`,
      );
    },
    cancel(caller, id) {
      const calls = inFlight.get(keyOf(caller, id));
      // Programs that share a token may use the same id. Then nothing is cancelled, because the target is ambiguous.
      if (calls?.size === 1) for (const abort of calls) abort.abort();
    },
  };
}

function keyOf(caller: Caller, id: unknown): string {
  return JSON.stringify([caller.tokenHash, id]);
}
