import type { HttpBindings } from '@hono/node-server';
import type { EventKind } from '../audit/event-kinds.ts';
import type { WriteEvent } from '../audit/events.ts';
import { addressKey, createProxyList, findClient, unmapIpv4 } from '../limits/proxies.ts';
import type { SourceAddress } from '../limits/throttle.ts';
import type { Log } from '../log.ts';
import { isSpecialAddress } from '../network/special-address.ts';
import type { RequestHead } from './guard.ts';

export type FindSource = (c: RequestHead) => SourceAddress;

const isLocalNetwork = createProxyList([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * Creates a function that returns the address under which attempts of a request are counted: that of the socket, or
 * the one a trusted proxy names. Only limits depend on it.
 */
export function createSourceFinder(
  publicUrl: string,
  trustedProxies: readonly string[],
  log: Log,
): FindSource {
  const isProxy = createProxyList(trustedProxies);
  // Only a proxy serves https. While none is trusted, all clients have its address.
  const isShared = trustedProxies.length === 0 && publicUrl.startsWith('https:');
  let hasHinted =
    trustedProxies.length > 0 || isLocalNetwork(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));

  return (c) => {
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
    if (incoming === undefined) return { key: 'unknown' };
    const peer = unmapIpv4(incoming.socket.remoteAddress ?? 'unknown');
    const forwardedFor = c.req.header('x-forwarded-for');
    if (!hasHinted && forwardedFor !== undefined && isLocalNetwork(peer)) {
      hasHinted = true;
      log('hint', {
        message: `Requests come through a proxy at ${peer}, so all apps and browsers look like one. Start with --trusted-proxy ${peer} to tell them apart.`,
      });
    }
    return { key: addressKey(findClient(peer, forwardedFor, isProxy)), isShared };
  };
}

export interface RefusalDeps {
  readonly findSource: FindSource;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

/** Writes to the event log that a request was refused, and roughly where it came from. */
export function writeRefusal(
  { findSource, writeEvent, now }: RefusalDeps,
  kind: EventKind,
  c: RequestHead,
): Promise<void> {
  return writeEvent({ kind, detail: describeSource(findSource(c)) }, now());
}

/** Describes roughly where a request came from. Addresses are not stored. */
function describeSource({ key }: SourceAddress): string {
  const address = key.replace(/\/64$/, '');
  if (/^127\.|^0:0:0:0::$/.test(address)) return 'from this computer, or through a proxy on it';
  return isSpecialAddress(address) ? 'from a local network' : 'from the internet';
}
