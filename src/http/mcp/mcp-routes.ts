import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../reads/admission.ts';
import { escapeBody } from '../../text/json.ts';
import { answerHeaders, type RequestHead } from '../guard.ts';
import type { ServeEarly } from '../listen.ts';
import { mediaType, parseJsonBody, readJsonBody } from '../read-body.ts';
import type { BaseRouteDeps } from '../route-deps.ts';
import { type DirectCall, MODERN_VERSION, parseDirectCall } from './direct-call.ts';
import { CHART_URI } from './tool-list.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** Methods that the read runner counts against the rate limit; all others are counted here. */
const COUNTED_BY_RUNNER = new Set(['tools/call', 'resources/list', 'resources/read', 'completion/complete']);

/** The chart is read without the runner, because it contains no data. */
function isCountedByRunner({ method, params }: Message): boolean {
  return COUNTED_BY_RUNNER.has(method) && (params as { uri?: unknown } | null | undefined)?.uri !== CHART_URI;
}

const CANCELLED = 'notifications/cancelled';
const decoder = new TextDecoder();

/** A request after all checks that need no data. */
interface Received {
  readonly caller: Caller;
  readonly body: unknown;
  readonly messages: readonly Message[];
  /** The call, if it can be answered without the protocol library. */
  readonly call: DirectCall | undefined;
}

/** Creates `/mcp`. It checks the caller, the rate limit and the messages before it reads any data. */
export function createMcpRoutes(
  { loadMcp, direct, admission, getCaller, publicUrl }: BaseRouteDeps,
  isAllowed: (c: RequestHead) => boolean,
): { readonly routes: Hono; readonly serveEarly: ServeEarly } {
  const headers = answerHeaders(publicUrl);
  const jsonHeaders = { ...Object.fromEntries(headers), 'content-type': 'application/json' };
  const identify = async (c: RequestHead) => {
    const caller = await getCaller(c);
    if (caller.kind === 'owner') {
      throw new AppError('owner_token_refused', 'Owner tokens are not accepted here.', {
        hint: 'Let the app sign in. It then gets its own token.',
      });
    }
    return caller;
  };
  const receive = async (c: RequestHead, caller: Caller, body: unknown): Promise<Received> => {
    const messages = checkMessages(body);
    for (const message of messages) if (!isCountedByRunner(message)) admission.count(caller);
    // The library checks the envelopes of this version.
    if (c.req.header('mcp-protocol-version') === MODERN_VERSION) await loadMcp();
    return { caller, body, messages, call: parseDirectCall((name) => c.req.header(name), body) };
  };
  const receiveAll = async (c: Context): Promise<Received> => {
    const caller = await identify(c);
    if (c.req.method !== 'POST') {
      c.header('allow', 'POST');
      throw new AppError('method_not_allowed', 'This path supports only POST.');
    }
    await admission.check(caller);
    return receive(c, caller, await readJsonBody(c, MAX_BODY_BYTES));
  };

  /** What `serveEarly` could not answer: the request, or its refusal. */
  const early = new WeakMap<IncomingMessage, () => Received>();
  const serve = async (c: Context) => {
    const { incoming, outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    const getEarly = incoming && early.get(incoming as IncomingMessage);
    const { caller, body, messages, call } = getEarly === undefined ? await receiveAll(c) : getEarly();
    if (call !== undefined) {
      const text = await direct.serve(call, caller, abortOnDisconnect(outgoing as ServerResponse));
      return c.body(text, 200, { 'content-type': 'application/json' });
    }
    for (const { method, params } of messages) {
      if (method === CANCELLED) direct.cancel(caller, (params as { requestId?: unknown } | null)?.requestId);
    }
    const refusal = refuseMessage(body, messages, c.req.header('mcp-protocol-version'));
    const { response: answer, isPlain } = refusal
      ? { response: refusal, isPlain: false }
      : await (await loadMcp())(c.req.raw, body, caller);
    if (isPlain) {
      // Returned unchanged: accessing the body would turn a text in memory into a stream.
      for (const [name, value] of headers) answer.headers.set(name, value);
      return answer;
    }
    // Our response already has the common headers. The library must not set cache-control.
    const { 'cache-control': _, ...own } = Object.fromEntries(answer.headers);
    const escaped = await escapeBody(answer);
    const status = answer.status as 200;
    return escaped === null ? c.body(null, status, own) : c.body(escaped, status, own);
  };

  /** Answers calls of tools without the work of Hono. Hono answers all others, and refusals. */
  const answerEarly = async (c: RequestHead, incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const caller = await identify(c);
      await admission.check(caller);
      // The body usually arrives with the head, and is parsed in this turn of the event loop. Hono waits for others.
      await new Promise(setImmediate);
      if (!incoming.complete) return false;
      const received = await receive(c, caller, parseJsonBody(decoder.decode(incoming.read() ?? undefined)));
      early.set(incoming, () => received);
      if (received.call === undefined) return false;
      const text = await direct.serve(received.call, caller, abortOnDisconnect(outgoing));
      outgoing.writeHead(200, { ...jsonHeaders, 'content-length': Buffer.byteLength(text) }).end(text);
      return true;
    } catch (error) {
      early.set(incoming, () => {
        throw error;
      });
      return false;
    }
  };
  const serveEarly: ServeEarly = (incoming, outgoing) => {
    if (incoming.method !== 'POST' || incoming.url !== '/mcp') return false;
    const { headers: sent, rawHeaders } = incoming;
    const header = (name: string) => sent[name] as string | undefined;
    const c = { req: { method: 'POST', path: '/mcp', header }, env: { incoming, outgoing } };
    const isUsual =
      // Node and Hono join repeated headers differently.
      Object.keys(sent).length * 2 === rawHeaders.length &&
      mediaType(c) === 'application/json' &&
      Number(sent['content-length']) <= MAX_BODY_BYTES;
    return isUsual && isAllowed(c) && answerEarly(c, incoming, outgoing);
  };

  const routes = new Hono();
  routes.on('ALL', ['/mcp', '/mcp/'], serve);
  return { routes, serveEarly };
}

function abortOnDisconnect(outgoing: ServerResponse | undefined): AbortController {
  const abort = new AbortController();
  // An abort creates an exception with its stack, so a call that was answered is not aborted.
  outgoing?.once('close', () => outgoing.writableFinished || abort.abort());
  return abort;
}

const MAX_BATCH_MESSAGES = 20;

export interface Message {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

/**
 * Returns the messages of a body after checks that the protocol library lacks: the batch size, responses to requests that
 * we never send, and duplicate ids. Of two messages with one id, only one would get a response.
 */
export function checkMessages(body: unknown): Message[] {
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  if (messages.length > MAX_BATCH_MESSAGES) {
    throw new AppError('invalid_argument', `A batch holds at most ${MAX_BATCH_MESSAGES} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) {
    throw new AppError('invalid_argument', 'Each message of a batch must have its own id.');
  }
  if (Array.isArray(body) && messages.some(({ method }) => method === 'initialize')) {
    throw new AppError('invalid_argument', 'initialize cannot be part of a batch.');
  }
  return messages;
}

/**
 * Returns an error response for two messages that the protocol library handles wrongly. A `subscriptions/listen` stream
 * would outlive its token and has no events. `initialize` without parameters would count as a server error.
 */
export function refuseMessage(
  body: unknown,
  messages: readonly Message[],
  version: string | undefined,
): Response | undefined {
  const [message] = messages;
  if (Array.isArray(body) || message === undefined) return undefined;
  if (message.method === 'subscriptions/listen') return refuse(message, 404, -32601, 'Method not found');
  // Versions since 2026 have no initialize, and the library reports that.
  const hasInitialize = (version ?? '') < '2026';
  if (!hasInitialize || message.method !== 'initialize' || isInitializeParams(message.params))
    return undefined;
  return refuse(message, 400, -32602, 'initialize needs protocolVersion, capabilities and clientInfo.');
}

function isInitializeParams(params: unknown): boolean {
  const { protocolVersion, capabilities, clientInfo } = (params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  return (
    [protocolVersion, name, version].every((value) => typeof value === 'string') &&
    typeof capabilities === 'object' &&
    capabilities !== null
  );
}

function refuse({ id }: Message, status: number, code: number, message: string): Response {
  // The response does not repeat an invalid id.
  const validId = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: validId, error: { code, message } }, { status });
}
