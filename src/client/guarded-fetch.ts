import type { FetchLike } from '@modelcontextprotocol/client';
import { ClientError } from './client-error.ts';
import { type Sent, sendRequest } from './send-request.ts';
import { isSafeUrl } from './server-address.ts';

/** Signing in is a handful of small answers; reading may take as long as the tool needs. */
const SIGN_IN_MS = 20_000;

/** The one way out to a server: only to URLs that are safe beside its own, whatever its metadata names. */
export function createGuardedFetch(server: URL): FetchLike {
  return async (input, init) => {
    const url = new URL(input);
    if (!isSafeUrl(url, server)) throw unsafeUrl();
    const isReading = url.href === server.href;
    const signals = [init?.signal ?? [], isReading ? [] : AbortSignal.timeout(SIGN_IN_MS)].flat();
    const signal = AbortSignal.any(signals);
    try {
      // The library follows by itself what leads to the same origin, and asks for each step.
      if (isReading && init?.redirect === 'manual') return await sendRequest(url, toSent(init, signal));
      return await fetch(url, { ...init, signal });
    } catch (cause) {
      if (init?.signal?.aborted) throw cause;
      throw new ClientError('unreachable', `${server.origin} cannot be reached.`, {
        hint: 'Is the address right, and is the server running?',
        cause,
      });
    }
  };
}

/** The library writes its messages itself, so they are text. */
function toSent({ method, headers, body }: RequestInit, signal: AbortSignal): Sent {
  return { method, headers: new Headers(headers), body: typeof body === 'string' ? body : undefined, signal };
}

export function unsafeUrl(): ClientError {
  return new ClientError('unsafe_server', 'The server names an address that is not safe to use.', {
    hint: 'Addresses must be https, or http on this computer. Nothing was sent there.',
  });
}
