import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { escapeBody } from '../../text/escape-json.ts';
import { answerHeaders } from '../guard.ts';
import { readJsonBody } from '../read-body.ts';
import type { BaseRouteDeps } from '../route-deps.ts';
import { checkMessages, type Message, refuseMessage } from './check-messages.ts';
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
