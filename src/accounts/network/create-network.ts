import { rootCertificates } from 'node:tls';
import { createFixedLookup, type Lookup, lookupHost, resolveHost } from '../../network/resolve-host.ts';
import { isHomeAddress, isSpecialAddress } from '../../network/special-address.ts';
import type { Network } from '../network.ts';
import { openTls } from './connect-tls.ts';
import { fetchGuarded } from './guarded-fetch.ts';
import { explainNetworkError } from './network-errors.ts';

/** Timeouts for the DNS lookup, for connecting, and for a connection without data. */
export interface NetworkTimes {
  readonly lookupMs: number;
  readonly connectMs: number;
  readonly idleMs: number;
}

const TIMES: NetworkTimes = { lookupMs: 10_000, connectMs: 15_000, idleMs: 180_000 };

export interface NetworkOptions {
  /** Whether the owner allowed this account to reach a server at home. */
  readonly allowPrivate: boolean;
  /** Certificates (PEM) of the owner's own authority. Public authorities remain trusted. */
  readonly ca?: string;
  /** Tests replace these two. */
  readonly lookup?: Lookup;
  readonly times?: Partial<NetworkTimes>;
}

/** What a connection needs. */
export interface Connector {
  /** Returns the checked addresses of a host. */
  readonly resolve: (
    host: string,
    mayBePrivate: boolean,
    signal: AbortSignal,
  ) => ReturnType<typeof resolveHost>;
  readonly allowPrivate: boolean;
  /** Undefined for the public authorities. */
  readonly ca: string[] | undefined;
  readonly times: NetworkTimes;
}

/** Creates the network of one account. */
export function createNetwork(options: NetworkOptions): Network {
  const { allowPrivate, lookup = lookupHost } = options;
  const times = { ...TIMES, ...options.times };
  const connector: Connector = {
    allowPrivate,
    times,
    ca: options.ca === undefined ? undefined : [...rootCertificates, options.ca],
    async resolve(host, mayBePrivate, signal) {
      const isAllowed = (address: string) =>
        !isSpecialAddress(address) || (mayBePrivate && isHomeAddress(address));
      const timeout = AbortSignal.timeout(times.lookupMs);
      const ended = AbortSignal.any([signal, timeout]);
      try {
        return await resolveHost(host, { lookup, isAllowed, signal: ended });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw explainNetworkError(error);
      }
    },
  };
  return {
    fetch: (url, init, limits) => fetchGuarded(connector, url, init, limits),
    async resolve(host, signal) {
      const addresses = await connector.resolve(host, allowPrivate, signal);
      const address = addresses[0]?.address as string;
      return { address, lookup: createFixedLookup(addresses), ca: connector.ca };
    },
    connectTls: (host, port, signal) => openTls(connector, host, port, signal),
  };
}
