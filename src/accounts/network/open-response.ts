import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Deadline, wasStopped } from './deadline.ts';
import { explainNetworkError, protocolError, tooLarge } from './network-errors.ts';

const EMPTY_STATUSES = new Set([204, 205, 304]);

/** Turns a response into one of `fetch`, whose body ends with an error at the limits of size and time. */
export function openResponse(
  message: IncomingMessage,
  url: URL,
  maxBytes: number,
  deadline: Deadline,
): Response {
  const status = message.statusCode ?? 0;
  // A response that nobody reads ends at the deadline.
  message.on('error', ignore);
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headersDistinct))
      for (const one of value ?? []) headers.append(name, one);
    if (status < 200 || status > 599) throw protocolError('The server sent an invalid status.');
    const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (!/^(?:identity|(?:x-)?gzip|)$/.test(encoding))
      throw protocolError('The server used a compression that was not requested.');
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const hasBody = !EMPTY_STATUSES.has(status);
    if (!hasBody) {
      message.destroy();
      deadline.end();
    }
    const body = hasBody
      ? ReadableStream.from(readBody(message, encoding.endsWith('gzip'), maxBytes, deadline))
      : null;
    const response = new Response(body, { status, headers });
    Object.defineProperty(response, 'url', { value: url.href });
    return response;
  } catch (error) {
    message.destroy();
    throw error;
  }
}

async function* readBody(
  message: IncomingMessage,
  isGzip: boolean,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  try {
    // Compressed bytes count as well: endless input can have no output.
    const source = limitBytes(message, maxBytes);
    if (!isGzip) yield* source;
    else yield* limitBytes(pipeline(source, createGunzip(), ignore), maxBytes);
  } catch (error) {
    throw explainBodyError(error, deadline.signal);
  } finally {
    message.destroy();
    deadline.end();
  }
}

/** Errors of a pipeline reach the loop that reads it. */
const ignore = () => {};

async function* limitBytes(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    yield chunk;
  }
}

function explainBodyError(error: unknown, signal: AbortSignal): unknown {
  if (wasStopped(signal)) return signal.reason;
  if (signal.aborted) return explainNetworkError(signal.reason);
  if ((error as { code?: unknown }).code?.toString().startsWith('Z_') === true)
    return protocolError('The server sent damaged data.', error);
  return explainNetworkError(error);
}
