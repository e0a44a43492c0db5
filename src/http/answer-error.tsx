import type { Context } from 'hono';
import { MessagePage } from '../../dashboard/pages/message.tsx';
import { AppError, errorBody } from '../errors.ts';
import { type CalledAs, createCommandFormat } from '../guide/command-name.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import { toAppError } from '../reads/run-read.ts';
import { createId } from '../secrets/token.ts';
import { formatHint, withCommands } from '../text/hint.ts';
import { challenge, Unauthorized } from './caller.ts';
import { discoveryLinks } from './discovery.ts';
import { wantsPage } from './guard.ts';
import { setPageHeaders } from './page-headers.ts';
import type { RouteDeps } from './route-deps.ts';

/** Answers with a page for a browser, an OAuth error below /oauth, and our JSON error elsewhere. */
export function answerError(
  thrown: unknown,
  c: Context,
  { publicUrl, log, called }: Pick<RouteDeps, 'publicUrl' | 'log' | 'called'>,
): Response {
  const requestId = createId('req');
  let error = toAppError(thrown, requestId, log);
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
  if (isOwners(c.req.path)) error = formatCommands(error, called);
  if (wantsPage(c)) {
    setPageHeaders(c);
    const { message, hint } = error;
    return c.html(
      <MessagePage
        title="That did not work"
        text={message}
        hint={hint}
        requestId={requestId}
        link={isOwners(c.req.path) ? DASHBOARD : undefined}
      />,
      status,
    ) as Response;
  }
  if (c.req.path.startsWith('/oauth/')) {
    const answer = { error: oauthCode(error.status), error_description: error.message };
    return c.json(error.status < 500 ? answer : { ...answer, request_id: requestId }, status);
  }
  return c.json(errorBody(error, requestId), status);
}

/** Returns the same error, with the commands in its hint as they are typed on this computer. */
function formatCommands({ code, message, details, parts }: AppError, called: CalledAs): AppError {
  const hint = parts.hint && { hint: formatHint(parts.hint, withCommands(createCommandFormat(called))) };
  return new AppError(code, message, { ...details, ...hint });
}

/** Returns whether a person opened the address of apps in a browser. Clients accept an event stream, or anything. */
function isVisitToMcp(c: Context): boolean {
  const accept = c.req.header('accept') ?? '';
  const isForPerson = accept.includes('text/html') && !accept.includes('text/event-stream');
  return isForPerson && c.req.method === 'GET' && /^\/mcp\/?$/.test(c.req.path);
}

/** Answers it with a page. The status stays the one that clients get. */
function explainAddress(c: Context, publicUrl: string): Response {
  setPageHeaders(c);
  return c.html(
    <MessagePage
      title="This address is for AI apps"
      text="Give this address to an app. It signs in here and reads what you approve. There is nothing to see in a browser."
      hint={`The address to copy: \`${publicUrl}/mcp\``}
      link={{ href: '/dashboard/connect', label: 'How to connect an app' }}
    />,
    401,
  ) as Response;
}

const DASHBOARD = { href: '/dashboard', label: 'Go to the dashboard' };

/** Returns whether a path is a page of the owner. Its errors link to the dashboard. */
function isOwners(path: string): boolean {
  return /^\/(dashboard|r)(\/|$)/.test(path);
}

function oauthCode(status: number): string {
  if (status === 401) return 'invalid_client';
  if (status === 503) return 'temporarily_unavailable';
  return status < 500 ? 'invalid_request' : 'server_error';
}

export function answerNotFound(c: Context, publicUrl: string): Response {
  const error = new AppError('not_found', 'There is nothing at this path.', {
    hint: `See ${publicUrl}/llms.txt`,
  });
  if (!wantsPage(c)) return c.json(errorBody(error), 404);
  setPageHeaders(c);
  return c.html(<MessagePage title="Nothing here" text={error.message} link={DASHBOARD} />, 404) as Response;
}
