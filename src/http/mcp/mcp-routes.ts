import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { escapeBody } from '../../text/json.ts';
import { answerHeaders } from '../guard.ts';
import { readJsonBody } from '../read-body.ts';
import type { BaseRouteDeps } from '../route-deps.ts';
import { MODERN_VERSION, parseDirectCall } from './direct-call.ts';
import { CHART_URI } from './tool-list.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** Methods that the read runner counts against the rate limit; all others are counted here. */
const COUNTED_BY_RUNNER = new Set(['tools/call', 'resources/list', 'resources/read', 'completion/complete']);

/** The chart is read without the runner, because it contains no data. */
function isCountedByRunner({ method, params }: Message): boolean {
  return COUNTED_BY_RUNNER.has(method) && (params as { uri?: unknown } | null | undefined)?.uri !== CHART_URI;
}

const CANCELLED = 'notifications/cancelled';

/** Creates `/mcp`. It checks the caller, the rate limit and the messages before it reads any data. */
export function createMcpRoutes({ loadMcp, direct, admission, getCaller, publicUrl }: BaseRouteDeps): Hono {
  const headers = answerHeaders(publicUrl);
  const serve = async (c: Context) => {
    const caller = await getCaller(c);
    if (caller.kind === 'owner') {
      throw new AppError('owner_token_refused', 'Owner tokens are not accepted here.', {
        hint: 'Let the app sign in. It then gets its own token.',
      });
    }
    if (c.req.method !== 'POST') {
      c.header('allow', 'POST');
      throw new AppError('method_not_allowed', 'This path supports only POST.');
    }
    await admission.check(caller);
    const body = await readJsonBody(c, MAX_BODY_BYTES);
    const messages = checkMessages(body);
    for (const message of messages) if (!isCountedByRunner(message)) admission.count(caller);
    // The library checks the envelopes of this version.
    if (c.req.header('mcp-protocol-version') === MODERN_VERSION) await loadMcp();
    const call = parseDirectCall((name) => c.req.header(name), body);
    if (call !== undefined) {
      const text = await direct.serve(call, caller, abortOnDisconnect(c));
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
  const app = new Hono();
  app.on('ALL', ['/mcp', '/mcp/'], serve);
  return app;
}

function abortOnDisconnect(c: Context): AbortController {
  const abort = new AbortController();
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
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
