import type { AuditStore } from '../store/audit-store.ts';
import { type EventKind, endingKinds } from './event-kinds.ts';

/** The terms of one stream, in names. */
export interface ChangedTerms {
  readonly connection_id: string;
  readonly stream: string;
  readonly fields: readonly string[];
  readonly time_field?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The detail of an `access_changed` event. */
interface AccessChange {
  /** What was added and removed, in words. */
  readonly summary: string;
  /** All terms after the change. */
  readonly terms: readonly ChangedTerms[];
}

/** Every end of access that is in the event log. */
export interface KnownEndings {
  /** When each grant ended. */
  readonly revoked: ReadonlyMap<string, string>;
  /** The connections that were removed from each grant and not granted again. */
  readonly connections: ReadonlyMap<string, ReadonlySet<string>>;
  /** The expiry that was last set for each grant; absent for "until revoked". */
  readonly expiries: ReadonlyMap<string, string>;
  /** The terms that the last change gave each grant; null if its event is damaged. */
  readonly terms: ReadonlyMap<string, readonly ChangedTerms[] | null>;
  readonly signedOutAt: string | undefined;
  readonly ownerTokensEndedAt: string | undefined;
  readonly passphraseSetAt: string | undefined;
}

export async function readKnownEndings(audit: AuditStore, now: Date): Promise<KnownEndings> {
  const rows = await audit.listEvents({ kinds: endingKinds }, { order: 'oldest' });
  const revoked = new Map<string, string>();
  const connections = new Map<string, Set<string>>();
  const expiries = new Map<string, string>();
  const terms = new Map<string, readonly ChangedTerms[] | null>();
  for (const { at, kind, grant_id: grant, detail } of rows) {
    if (grant === null) continue;
    if (kind === 'connection_ended' && detail !== null)
      connections.set(grant, (connections.get(grant) ?? new Set()).add(detail));
    else if (kind === 'expiry_changed') {
      const [, until] = /^until (\d{4}-.*Z)$/.exec(detail ?? '') ?? [];
      if (until === undefined) expiries.delete(grant);
      else expiries.set(grant, until);
    } else if (kind === 'access_changed') {
      const change = readAccessChange(detail);
      terms.set(grant, change?.terms ?? null);
      // The new terms grant these connections again.
      for (const { connection_id } of change?.terms ?? []) connections.get(grant)?.delete(connection_id);
    } else if (!revoked.has(grant)) revoked.set(grant, at);
  }
  // Ignores events in the future: they were written while the clock was ahead.
  const last = (...kinds: EventKind[]) =>
    rows.findLast(({ at, kind }) => kinds.includes(kind as EventKind) && at <= now.toISOString())?.at;
  return {
    revoked,
    connections,
    expiries,
    terms,
    signedOutAt: last('signed_out_everywhere', 'passphrase_set'),
    ownerTokensEndedAt: last('owner_tokens_ended'),
    passphraseSetAt: last('passphrase_set'),
  };
}

/** Formats the detail of an `access_changed` event. Record keys are left out: the log holds names, not data. */
export function writeAccessChange({ summary, terms }: AccessChange): string {
  const named = terms.map(({ connection_id, stream, fields, time_field, since, until }) => ({
    connection_id,
    stream,
    fields,
    time_field,
    since,
    until,
  }));
  return JSON.stringify({ summary, terms: named });
}

/** Parses the detail of an `access_changed` event; undefined where it is damaged. */
export function readAccessChange(detail: string | null): AccessChange | undefined {
  try {
    const { summary, terms } = JSON.parse(detail ?? '') as Partial<AccessChange>;
    return typeof summary === 'string' && Array.isArray(terms) ? { summary, terms } : undefined;
  } catch {
    return undefined;
  }
}
