import type { ChangedTerms, KnownEndings } from '../audit/known-endings.ts';
import { createId } from '../secrets/token.ts';
import type { EndedGrant } from '../store/grant-store.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { type GrantedStreamTerms, parseGrantBody } from './grant.ts';

export interface AllEnded {
  readonly grants: readonly EndedGrant[];
  readonly ownerTokens: number;
  readonly sessions: number;
}

/**
 * Ends all access: grants with their tokens, owner tokens, browser sessions, unfinished sign-ins and setup links. Data,
 * registrations and the passphrase stay.
 */
export function endAllAccess(store: WriteStore, now: Date): Promise<AllEnded> {
  return store.transact(async () => {
    const grants = await store.grants.endAll(now.toISOString());
    const ownerTokens = await store.grants.deleteOwnerTokens();
    await store.grants.deleteIssued();
    await store.owner.deleteUnusedLinks();
    return { grants, ownerTokens, sessions: await store.owner.deleteAllSessions() };
  });
}

/**
 * Ends access again that has ended according to the event log: the store may be an older copy beside a newer log.
 * Returns the number of ended grants, tokens and sessions.
 */
export function reapplyEndings(store: WriteStore, endings: KnownEndings): Promise<number> {
  const { grants, owner } = store;
  return store.transact(async () => {
    let ended = 0;
    for (const [grantId, at] of endings.revoked) if (await grants.end(grantId, at)) ended += 1;
    for (const [grantId, connections] of endings.connections)
      ended += await endConnections(store, grantId, connections);
    for (const [grantId, at] of endings.expiries) if (await grants.shortenExpiry(grantId, at)) ended += 1;
    for (const [grantId, allowed] of endings.terms) {
      const stored = await grants.find(grantId);
      const body = stored && narrowStreams(stored.body, allowed ?? []);
      if (body === undefined) continue;
      await grants.setBody(grantId, body);
      ended += 1;
    }
    if (endings.signedOutAt !== undefined) ended += await owner.deleteSessionsBefore(endings.signedOutAt);
    if (endings.ownerTokensEndedAt !== undefined)
      ended += await grants.deleteOwnerTokens(endings.ownerTokensEndedAt);
    return ended;
  });
}

async function endConnections(
  { grants }: WriteStore,
  grantId: string,
  ended: ReadonlySet<string>,
): Promise<number> {
  const stored = await grants.find(grantId);
  if (stored === undefined) return 0;
  const known = JSON.parse(stored.ended_connections ?? '[]') as string[];
  const missing = [...ended].filter((connection) => !known.includes(connection));
  if (missing.length > 0) await grants.setEndedConnections(grantId, [...known, ...missing]);
  return missing.length;
}

/** The store records the time of a new passphrase moments before the log does. */
const MAX_LOG_DELAY_MS = MINUTE_MS;

/** Whether the stored passphrase is older than the one last set. The newer one cannot be restored, only set again. */
export async function isPassphraseOld(
  { owner }: ReadStore,
  { passphraseSetAt }: KnownEndings,
): Promise<boolean> {
  if (passphraseSetAt === undefined) return false;
  const from = new Date(Date.parse(passphraseSetAt) - MAX_LOG_DELAY_MS).toISOString();
  return !(await owner.isPassphraseSetSince(from));
}

/** Limits the body of a stored grant to `allowed`; undefined if that changes nothing or the body is unreadable. */
function narrowStreams(text: string, allowed: readonly ChangedTerms[]): string | undefined {
  const body = parseGrantBody(text);
  if (body === undefined) return undefined;
  const streams = body.streams.flatMap((terms) => {
    const limit = allowed.find(
      (one) => one.connection_id === terms.connection_id && one.stream === terms.stream,
    );
    return limit === undefined ? [] : narrow(terms, limit);
  });
  if (JSON.stringify(streams) === JSON.stringify(body.streams)) return undefined;
  // A new revision, so that cursors made with other terms are refused.
  return JSON.stringify({ ...body, revision: createId('rev'), streams });
}

function narrow(terms: GrantedStreamTerms, limit: ChangedTerms): GrantedStreamTerms[] {
  const fields = terms.fields.filter((field) => limit.fields.includes(field));
  if (fields.length === 0) return [];
  const since = Math.max(terms.since ?? -Infinity, limit.since ?? -Infinity);
  const until = Math.min(terms.until ?? Infinity, limit.until ?? Infinity);
  return [
    {
      ...terms,
      fields,
      ...(limit.time_field === undefined ? {} : { time_field: terms.time_field ?? limit.time_field }),
      ...(since === -Infinity ? {} : { since }),
      ...(until === Infinity ? {} : { until }),
    },
  ];
}
