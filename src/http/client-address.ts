import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { addressKey, createProxyList, findClient, writePlain } from '../limits/proxies.ts';
import type { Attempter } from '../limits/throttle.ts';
import type { Log } from '../log.ts';
import { isSpecialAddress } from '../oauth/documents/special-address.ts';

export type FindSource = (c: Context) => Attempter;

const NEAR = createProxyList([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * Whose attempt a request counts as: the address of the socket, or what a trusted proxy says it was called
 * from. What any other header claims makes no difference, and nothing but limits depends on it.
 */
export function createSourceFinder(
  publicUrl: string,
  /** Addresses of proxies that are believed when they say who called them. */
  trustedProxies: readonly string[],
  log: Log,
): FindSource {
  const isProxy = createProxyList(trustedProxies);
  // Only a proxy speaks https here. While none is named, all that comes is its own, and one stands for all.
  const isShared = trustedProxies.length === 0 && publicUrl.startsWith('https:');
  let hasHinted = trustedProxies.length > 0 || NEAR(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));

  return (c) => {
    if (c.env === undefined || !('incoming' in c.env)) return { key: 'unknown' };
    const peer = writePlain(getConnInfo(c).remote.address ?? 'unknown');
    const forwardedFor = c.req.header('x-forwarded-for');
    if (!hasHinted && forwardedFor !== undefined && NEAR(peer)) {
      hasHinted = true;
      log('hint', {
        message: `Requests come through a proxy at ${peer}, so all apps and browsers look like one. Start with --trusted-proxy ${peer} to tell them apart.`,
      });
    }
    return { key: addressKey(findClient(peer, forwardedFor, isProxy)), isShared };
  };
}

/** Roughly where an attempt came from, as far as it may be written down. */
export function describeSource({ key }: Attempter): string {
  const address = key.replace(/\/64$/, '');
  if (/^127\.|^0:0:0:0::$/.test(address)) return 'from this computer, or through a proxy on it';
  return isSpecialAddress(address) ? 'from a local network' : 'from the internet';
}
