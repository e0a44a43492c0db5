import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface FetchLimits {
  /** A longer body ends the request with `too_large`. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reaches servers that the owner named. Each host name is resolved once and the connection goes to a checked address, so
 * that a second lookup cannot lead elsewhere. Private addresses need the owner's permission, and TLS is required.
 */
export interface Network {
  /** A `fetch` over HTTPS with limits. Redirects are followed only to the same host. */
  fetch(url: string | URL, init: RequestInit, limits: FetchLimits): Promise<Response>;
  /** Returns checked addresses of a host, for libraries that connect themselves. Throws SyncError. */
  resolve(
    host: string,
    signal: AbortSignal,
  ): Promise<{ readonly address: string; readonly lookup: LookupFunction }>;
  /** Opens a TLS connection with a verified certificate. */
  connectTls(host: string, port: number, signal: AbortSignal): Promise<TLSSocket>;
}
