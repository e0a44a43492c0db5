import type { FetchLike } from '@modelcontextprotocol/client';
import { ClientError } from './client-error.ts';

/**
 * The MCP endpoint that somebody means: `data.example`, `https://data.example` and
 * `https://data.example/mcp` are the same. Tokens travel over https, or stay on this computer.
 */
export function parseServerAddress(text: string): URL {
  const typed = text.trim();
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = isWhole ? parseUrl(typed) : guessScheme(typed);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new ClientError('wrong_use', 'That is not the address of a server.', {
      hint: 'Write an address such as https://data.example or 127.0.0.1:7733.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('wrong_use', 'Only https is used beyond this computer.', {
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
 * Whether a URL that a server names may be asked or opened: https, or http on this computer if the
 * server itself is on it. A server elsewhere must not send us to what listens here.
 */
export function isSafeUrl(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(server));
}

/** What a connection is called unless somebody names it: its host. */
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
      return await fetch(url, { ...init, signal });
    } catch (cause) {
      if (init?.signal?.aborted) throw cause;
      throw unreachable(server, cause);
    }
  };
}

export function unreachable(server: URL, cause: unknown): ClientError {
  return new ClientError('unreachable', `${server.origin} cannot be reached.`, {
    hint: 'Is the address right, and is the server running?',
    cause,
  });
}

export function unsafeUrl(): ClientError {
  return new ClientError('unsafe_server', 'The server names an address that is not safe to use.', {
    hint: 'Addresses must be https, or http on this computer. Nothing was sent there.',
  });
}
