import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** What of a request of `fetch` is known here. */
export interface Sent {
  readonly method?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** Statuses that come without a body, by the Fetch standard. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * One request, answered as by `fetch` that is told not to follow. Node's own fetch has HTTP in a program of its own, which
 * each process compiles anew: that takes longer than all the rest of a command.
 */
export async function sendRequest(url: URL, { method, headers, body, signal }: Sent): Promise<Response> {
  const { request } = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, {
      method: method ?? 'GET',
      // Some proxies refuse whoever does not say who asks.
      headers: { accept: '*/*', 'user-agent': 'pdpp', ...Object.fromEntries(headers ?? []) },
      signal,
    });
    sent.once('response', resolve).once('error', reject).end(body);
  });
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const hasBody = !WITHOUT_BODY.includes(status);
  if (!hasBody) message.resume();
  return new Response(hasBody ? (Readable.toWeb(message) as ReadableStream) : null, {
    status,
    statusText,
    headers: readHeaders(message),
  });
}

function readHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}
