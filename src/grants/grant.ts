import { z } from 'zod';
import type { GrantRow } from '../store/grant-store.ts';

/**
 * What the owner approved for one client, resolved to plain names and frozen when issued. Nothing in it
 * refers to a declaration, so no later declaration can widen or reinterpret it.
 */
const grantedStream = z.strictObject({
  connection_id: z.string().min(1),
  stream: z.string().min(1),
  fields: z.array(z.string().min(1)).min(1),
  /** The field the window applies to, as it was when the grant was issued. */
  time_field: z.string().min(1).optional(),
  /** Milliseconds; `since` is inside the window, `until` is not. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Record keys; absent means every record, empty means none. */
  keys: z.array(z.string()).optional(),
});

const grantBody = z.strictObject({
  version: z.literal('0.1.0'),
  purpose: z.string().max(500).optional(),
  /** `single_use` yields one access token and no refresh token. */
  access_mode: z.enum(['continuous', 'single_use']).optional(),
  /** A new random name each time the owner changes what may be read; absent in a grant that was never changed. */
  revision: z.string().min(1).optional(),
  streams: z.array(grantedStream),
});

const endedList = z.array(z.string());

export type GrantedStreamTerms = Readonly<z.infer<typeof grantedStream>>;

export interface Grant {
  readonly grantId: string;
  readonly clientName: string;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly purpose: string | undefined;
  readonly accessMode: 'continuous' | 'single_use';
  /** What may be read now: the approved streams without the connections the owner has ended since. */
  readonly streams: readonly GrantedStreamTerms[];
  readonly endedConnections: readonly string[];
  /** Names this version of the terms; undefined until the owner changes them. */
  readonly revision: string | undefined;
  /** Absent for a grant made on the command line. */
  readonly clientId: string | undefined;
  /** The host that vouches for the client's name, when one does. */
  readonly verifiedHost: string | undefined;
  /** Where the answer went when it was approved. */
  readonly redirectHost: string | undefined;
}

/** Reads a grant that was just written. */
export function readGrant(row: GrantRow): Grant {
  const grant = findGrant(row);
  if (grant === undefined) throw new Error('a grant was written that cannot be read');
  return grant;
}

/** Reads a stored grant. One that cannot be read as a version we know grants nothing. */
export function findGrant(row: GrantRow): Grant | undefined {
  const body = grantBody.safeParse(parseJson(row.body));
  const ended = endedList.safeParse(parseJson(row.ended_connections ?? '[]'));
  if (!body.success || !ended.success) return undefined;
  return deepFreeze({
    grantId: row.grant_id,
    clientName: row.client_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    purpose: body.data.purpose,
    accessMode: body.data.access_mode ?? 'continuous',
    streams: body.data.streams.filter((stream) => !ended.data.includes(stream.connection_id)),
    endedConnections: ended.data,
    revision: body.data.revision,
    clientId: row.client_id ?? undefined,
    verifiedHost: row.verified_host ?? undefined,
    redirectHost: row.redirect_host ?? undefined,
  });
}

export function writeGrantBody(body: Omit<z.input<typeof grantBody>, 'version'>): string {
  return JSON.stringify(grantBody.parse({ version: '0.1.0', ...body }));
}

/**
 * What cursors are bound to. After a change of the terms, older cursors are refused: a position in the old result would
 * skip records that have become visible since.
 */
export function cursorScope({ grantId, revision }: Grant): string {
  return revision === undefined ? grantId : `${grantId} ${revision}`;
}

/** Whether the grant still counts. Looked up on every request, so revoking bites at once. */
export function isLive(grant: Grant, now: Date): boolean {
  return grant.revokedAt === undefined && (grant.expiresAt === undefined || isAfter(grant.expiresAt, now));
}

/** Whether a stored time lies ahead. One that cannot be read does not. */
export function isAfter(time: string, now: Date): boolean {
  return Date.parse(time) > now.getTime();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
