import { z } from 'zod';
import type { GrantRow } from '../store/grant-store.ts';

/** Terms are plain names, frozen when the grant is issued: no later declaration can widen or reinterpret them. */
const grantedStream = z.strictObject({
  connection_id: z.string().min(1),
  stream: z.string().min(1),
  fields: z.array(z.string().min(1)).min(1),
  /** The field that the window applies to. */
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
  /** A new random name for each change of the terms; absent in a grant that was never changed. */
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
  /** The approved streams without the connections that the owner has ended since. */
  readonly streams: readonly GrantedStreamTerms[];
  readonly endedConnections: readonly string[];
  /** Names this version of the terms; undefined until they are first changed. */
  readonly revision: string | undefined;
  /** Absent for a grant made on the command line. */
  readonly clientId: string | undefined;
  /** The host that vouches for the client's name. */
  readonly verifiedHost: string | undefined;
  /** The host of the redirect URI at the approval. */
  readonly redirectHost: string | undefined;
}

/** Parses a grant that was just written. */
export function readGrant(row: GrantRow): Grant {
  const grant = parseGrant(row);
  if (grant === undefined) throw new Error('a grant was written that cannot be read');
  return grant;
}

/** Parses a stored grant. A grant of an unknown version or with a damaged row gives no access. */
export function parseGrant(row: GrantRow): Grant | undefined {
  const body = parseGrantBody(row.body);
  const ended = endedList.safeParse(parseJson(row.ended_connections ?? '[]')).data;
  if (body === undefined || ended === undefined) return undefined;
  return deepFreeze({
    grantId: row.grant_id,
    clientName: row.client_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    purpose: body.purpose,
    accessMode: body.access_mode ?? 'continuous',
    streams: body.streams.filter((stream) => !ended.includes(stream.connection_id)),
    endedConnections: ended,
    revision: body.revision,
    clientId: row.client_id ?? undefined,
    verifiedHost: row.verified_host ?? undefined,
    redirectHost: row.redirect_host ?? undefined,
  });
}

/** Parses the stored body of a grant; undefined where it is damaged or of an unknown version. */
export function parseGrantBody(text: string): z.infer<typeof grantBody> | undefined {
  return grantBody.safeParse(parseJson(text)).data;
}

export function writeGrantBody(body: Omit<z.input<typeof grantBody>, 'version'>): string {
  return JSON.stringify(grantBody.parse({ version: '0.1.0', ...body }));
}

/** Returns what cursors are bound to. A change of the terms ends them: an old position would skip newly visible records. */
export function cursorScope({ grantId, revision }: Grant): string {
  return revision === undefined ? grantId : `${grantId} ${revision}`;
}

/** Whether the grant is neither revoked nor expired. */
export function isLive(grant: Grant, now: Date): boolean {
  return grant.revokedAt === undefined && (grant.expiresAt === undefined || isAfter(grant.expiresAt, now));
}

/** Whether a stored time is in the future. An unreadable time is not. */
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
