import type { FetchLike } from '@modelcontextprotocol/client';
import { ClientError } from './client-error.ts';

/**
 * Parses the address of an MCP endpoint: `data.example`, `https://data.example` and `https://data.example/mcp` are the
 * same. Refuses http beyond this computer.
 */
export function parseServerAddress(text: string): URL {
  const typed = text.trim();
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = isWhole ? parseUrl(typed) : guessScheme(typed);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new ClientError('wrong_use', 'This is not a server address.', {
      hint: 'Use an address such as https://data.example or 127.0.0.1:7733.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('wrong_use', 'Servers on other computers need https.', {
      hint: `Try https://${url.host}`,
    });
  }
  url.pathname = url.pathname === '/' ? '/mcp' : url.pathname.replace(/\/+$/, '');
  return url;
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Returns whether a URL that a server names may be requested or opened: https, or http on this computer if the server is on
 * it too. A remote server must not direct us to local programs.
 */
export function isSafeUrl(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(server));
}

/** Returns the default name of a connection: its host. */
export function nameOf(server: URL): string {
  return server.host.replaceAll(/[^a-z0-9.-]/gi, '_').replace(/^[._-]+/, '');
}

function guessScheme(typed: string): URL | undefined {
  const url = parseUrl(`https://${typed}`);
  return url !== undefined && isLoopback(url) ? parseUrl(`http://${typed}`) : url;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The timeout of sign-in requests. Reads have none. */
const SIGN_IN_TIMEOUT_MS = 20_000;

/** Returns the only fetch function of the client. It refuses unsafe URLs, whatever the server's metadata says. */
export function createGuardedFetch(server: URL): FetchLike {
  return async (input, init) => {
    const url = new URL(input);
    if (!isSafeUrl(url, server)) throw unsafeUrl();
    const isReading = url.href === server.href;
    const signals = [init?.signal ?? [], isReading ? [] : AbortSignal.timeout(SIGN_IN_TIMEOUT_MS)].flat();
    const signal = AbortSignal.any(signals);
    try {
      return await fetch(url, { ...init, signal });
    } catch (cause) {
      if (init?.signal?.aborted) throw cause;
      throw unreachable(server, cause);
    }
  };
}

export function unreachable(server: URL, cause: unknown): ClientError {
  return new ClientError('unreachable', `Cannot reach ${server.origin}.`, {
    hint: 'Check the address, and that the server is running.',
    cause,
  });
}

export function unsafeUrl(): ClientError {
  return new ClientError('unsafe_server', 'The server uses an address that is not safe.', {
    hint: 'Addresses must be https, or http on this computer. Nothing was sent there.',
  });
}
