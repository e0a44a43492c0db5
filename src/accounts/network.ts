import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface FetchLimits {
  /** A longer body ends the request with `too_large`. It counts after decompression. */
  readonly maxBytes: number;
  /** From the lookup of the name to the end of the body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Which redirects are followed: those to the same origin (default), or also those to other public hosts. Another
   * origin never receives credentials.
   */
  readonly redirects?: 'same-origin' | 'other-hosts';
}

/**
 * Reaches servers that the owner named. Each host name is resolved once and the connection goes to a checked address,
 * so that a second lookup cannot return another address. Private addresses need the owner's permission, and TLS is
 * required. Every method throws SyncError, or the reason of the signal.
 */
export interface Network {
  /**
   * A `fetch` over HTTPS with limits, for GET, PROPFIND and REPORT. `url` of the response is the address after redirects.
   * Reading the body can throw SyncError, too.
   */
  fetch(url: string | URL, init: RequestInit, limits: FetchLimits): Promise<Response>;
  /** Returns checked addresses of a host, for libraries that connect themselves. */
  resolve(
    host: string,
    signal: AbortSignal,
  ): Promise<{
    readonly address: string;
    readonly lookup: LookupFunction;
    /** The trusted authorities, if the owner added one. Undefined: the public ones. */
    readonly ca?: readonly string[] | undefined;
  }>;
  /** Opens a TLS connection with a verified certificate. */
  connectTls(host: string, port: number, signal: AbortSignal): Promise<TLSSocket>;
}
