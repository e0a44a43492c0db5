import type { Context } from 'hono';
import type { MessagePage } from '../../dashboard/pages/message.tsx';
import { AppError, errorBody } from '../errors.ts';
import { createCommandFormat, type Invocation } from '../guide/command-name.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import { toAppError } from '../reads/run-read.ts';
import { createId } from '../secrets/token.ts';
import { formatHint, withCommands } from '../text/hint.ts';
import { discoveryLinks } from './discovery.ts';
import { challenge, Unauthorized, wantsPage } from './guard.ts';
import { setPageHeaders } from './page-headers.ts';
import type { BaseRouteDeps } from './route-deps.ts';

/** Answers with a page for a browser, an OAuth error below /oauth, and our JSON error elsewhere. */
export async function answerError(
  thrown: unknown,
  c: Context,
  {
    publicUrl,
    log,
    invocation,
    noteRefused,
  }: Pick<BaseRouteDeps, 'publicUrl' | 'log' | 'invocation' | 'noteRefused'>,
): Promise<Response> {
  const requestId = createId('req');
  let error = toAppError(thrown, requestId, log);
  noteRefused(error.code);
  if (error instanceof TooManyRequests) c.header('retry-after', String(error.retryAfterSeconds));
  if (error instanceof Unauthorized) {
    if (/^\/v1(\/|$)/.test(c.req.path) && error.ended)
      error = new AppError('grant_revoked', 'The grant has ended.');
    else {
      c.header('www-authenticate', challenge(publicUrl, error));
      c.header('link', discoveryLinks);
    }
  }
  const status = error.status as 400;
  if (error instanceof Unauthorized && error.withoutToken && isVisitToMcp(c))
    return explainAddress(c, publicUrl);
  if (isOwnerPage(c.req.path)) error = formatCommands(error, invocation);
  if (wantsPage(c)) {
    const { message, hint } = error;
    const link = isOwnerPage(c.req.path) ? DASHBOARD : undefined;
    return showMessage(c, status, { title: 'That did not work', text: message, hint, requestId, link });
  }
  if (c.req.path.startsWith('/oauth/')) {
    const answer = { error: oauthCode(error.status), error_description: error.message };
    return c.json(error.status < 500 ? answer : { ...answer, request_id: requestId }, status);
  }
  return c.json(errorBody(error, requestId), status);
}

/** Returns the same error, with the commands in its hint as they are typed on this computer. */
function formatCommands({ code, message, details, parts }: AppError, invocation: Invocation): AppError {
  const hint = parts.hint && { hint: formatHint(parts.hint, withCommands(createCommandFormat(invocation))) };
  return new AppError(code, message, { ...details, ...hint });
}

/** Returns whether a person opened the MCP address in a browser. MCP clients accept an event stream or anything. */
function isVisitToMcp(c: Context): boolean {
  const accept = c.req.header('accept') ?? '';
  const isForPerson = accept.includes('text/html') && !accept.includes('text/event-stream');
  return isForPerson && c.req.method === 'GET' && /^\/mcp\/?$/.test(c.req.path);
}

/** Returns a page for a person, with the same status that clients get. */
async function explainAddress(c: Context, publicUrl: string): Promise<Response> {
  const { EndpointPage } = await import('../../dashboard/pages/visitors/landing.tsx');
  setPageHeaders(c);
  return c.html(EndpointPage({ url: `${publicUrl}/mcp` }), 401);
}

/** Shows a page with one message. The page is loaded late, because apps do not need it. */
async function showMessage(
  c: Context,
  status: 400 | 404,
  message: Parameters<typeof MessagePage>[0],
): Promise<Response> {
  const pages = await import('../../dashboard/pages/message.tsx');
  setPageHeaders(c);
  return c.html(pages.MessagePage(message), status);
}

const DASHBOARD = { href: '/dashboard', label: 'Go to the dashboard' };

/** Returns whether a path is a page of the owner. Its errors link to the dashboard. */
function isOwnerPage(path: string): boolean {
  return /^\/(dashboard|r)(\/|$)/.test(path);
}

function oauthCode(status: number): string {
  if (status === 401) return 'invalid_client';
  if (status === 503) return 'temporarily_unavailable';
  return status < 500 ? 'invalid_request' : 'server_error';
}

export async function answerNotFound(c: Context, publicUrl: string): Promise<Response> {
  const error = new AppError('not_found', 'There is nothing at this path.', {
    hint: `See ${publicUrl}/llms.txt`,
  });
  if (!wantsPage(c)) return c.json(errorBody(error), 404);
  return showMessage(c, 404, { title: 'Page not found', text: error.message, link: DASHBOARD });
}
