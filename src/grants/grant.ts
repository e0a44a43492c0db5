import { z } from 'zod';
import { AppError } from '../errors.ts';

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
  streams: z.array(grantedStream),
});

export type GrantedStreamTerms = Readonly<z.infer<typeof grantedStream>>;

export interface Grant {
  readonly grantId: string;
  readonly clientName: string;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly purpose: string | undefined;
  readonly streams: readonly GrantedStreamTerms[];
}

export interface GrantRow {
  grant_id: string;
  client_name: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  body: string;
}

/** Reads a stored grant. One that cannot be read as a version we know grants nothing: it throws. */
export function readGrant(row: GrantRow): Grant {
  const body = grantBody.safeParse(parseJson(row.body));
  if (!body.success)
    throw new AppError('grant_revoked', 'The grant cannot be read.', {
      hint: 'Ask the owner for a new one.',
    });
  return deepFreeze({
    grantId: row.grant_id,
    clientName: row.client_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    purpose: body.data.purpose,
    streams: body.data.streams,
  });
}

export function writeGrantBody(purpose: string | undefined, streams: readonly GrantedStreamTerms[]): string {
  return JSON.stringify(
    grantBody.parse({ version: '0.1.0', ...(purpose === undefined ? {} : { purpose }), streams }),
  );
}

/** Whether the grant still counts. Looked up on every request, so revoking bites at once. */
export function isLive(grant: Grant, now: Date): boolean {
  return (
    grant.revokedAt === undefined &&
    (grant.expiresAt === undefined || Date.parse(grant.expiresAt) > now.getTime())
  );
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
