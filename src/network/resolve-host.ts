import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export type Lookup = (hostname: string, options: { all: true }) => Promise<LookupAddress[]>;

export const lookupHost: Lookup = dns.lookup;

export class RefusedAddressError extends Error {
  constructor() {
    super('The host has a special-purpose address, or none.');
    this.name = 'RefusedAddressError';
  }
}

export interface ResolveOptions {
  readonly lookup: Lookup;
  readonly isAllowed: (address: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Returns all addresses of a host name, or of an address in the notation of a URL. One refused address refuses the host,
 * because any of them may be used.
 */
export async function resolveHost(
  hostname: string,
  { lookup, isAllowed, signal }: ResolveOptions,
): Promise<LookupAddress[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses =
    family === 0 ? await withSignal(lookup(hostname, { all: true }), signal) : [{ address: literal, family }];
  if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
    throw new RefusedAddressError();
  return addresses;
}

/** Returns a promise that rejects when the signal is aborted, for work that cannot be cancelled. */
export function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Returns a `lookup` for a new connection that always returns these checked addresses. A second DNS lookup could return
 * others (DNS rebinding).
 */
export function createFixedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}
