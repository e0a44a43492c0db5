import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { EventKind } from '../audit/event-kinds.ts';
import type { WriteEvent } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { createAccessFinder } from '../grants/grant.ts';
import { addressKey, createProxyList, findClient, unmapIpv4 } from '../limits/proxies.ts';
import type { SourceAddress } from '../limits/throttle.ts';
import type { Log } from '../log.ts';
import { isSpecialAddress } from '../network/special-address.ts';
import { resourceOf } from '../oauth/resource.ts';
import type { Caller } from '../reads/admission.ts';
import type { Store } from '../store/store.ts';

/** One scheme, one token, nothing after it: a proxy might read anything else differently. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

export interface CallerDeps {
  readonly store: Store;
  readonly publicUrl: string;
  readonly findSource: FindSource;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

/**
 * Creates a function that returns the caller of a request by its token. Unknown, malformed, expired and revoked tokens
 * get the same refusal, which is written to the event log.
 */
export function createCallerFinder(deps: CallerDeps): (c: Context) => Promise<Caller> {
  const findAccess = createAccessFinder(deps.store.read, resourceOf(deps.publicUrl));
  return async (c) => {
    const header = c.req.header('authorization');
    // A client without a token is about to sign in: that is no event.
    if (header === undefined) throw new Unauthorized({ withoutToken: true });
    const token = BEARER.exec(header)?.[1];
    const access = token === undefined ? undefined : await findAccess(token, deps.now());
    if (access?.kind === 'client' || access?.kind === 'owner') return access;
    await writeRefusal(deps, 'refused_bearer', c);
    throw new Unauthorized({ ended: access?.kind === 'ended' });
  };
}

/** Where REST says that a grant has ended, MCP says only that the token is not valid. */
export class Unauthorized extends AppError {
  readonly withoutToken: boolean;
  readonly ended: boolean;

  constructor({ withoutToken = false, ended = false } = {}) {
    super('unauthorized', 'A valid access token is needed.', {
      hint: 'Sign in through the address in resource_metadata, as MCP clients do by themselves.',
    });
    this.withoutToken = withoutToken;
    this.ended = ended;
  }
}

/** RFC 9728: names the document that says how to get a token. Without credentials there is no error to name. */
export function challenge(publicUrl: string, error: Unauthorized): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return error.withoutToken ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}

export type FindSource = (c: Context) => SourceAddress;

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
    if (c.env === undefined || !('incoming' in c.env)) return { key: 'unknown' };
    const peer = unmapIpv4(getConnInfo(c).remote.address ?? 'unknown');
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

/** Writes to the event log that a request was refused, and roughly where it came from. */
export function writeRefusal(
  { findSource, writeEvent, now }: Pick<CallerDeps, 'findSource' | 'writeEvent' | 'now'>,
  kind: EventKind,
  c: Context,
): Promise<void> {
  return writeEvent({ kind, detail: describeSource(findSource(c)) }, now());
}

/** Describes roughly where a request came from. Addresses are not stored. */
function describeSource({ key }: SourceAddress): string {
  const address = key.replace(/\/64$/, '');
  if (/^127\.|^0:0:0:0::$/.test(address)) return 'from this computer, or through a proxy on it';
  return isSpecialAddress(address) ? 'from a local network' : 'from the internet';
}
