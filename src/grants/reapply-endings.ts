import { randomUUID } from 'node:crypto';
import type { ChangedTerms, KnownEndings } from '../audit/known-endings.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { MINUTE_MS } from '../time/durations.ts';

/**
 * Ends again what the event log knows to have ended and the store says is live: a store that was put back from an
 * older copy beside a newer log. Of two that disagree, the ending wins. Says how many things were ended.
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

/** The store notes the time of a new passphrase moments before the log hears of it. */
const LINK_MS = MINUTE_MS;

/** Whether the passphrase in the store is an older one than was last set. It cannot be brought back, only set anew. */
export async function isPassphraseOld(
  { owner }: ReadStore,
  { passphraseSetAt }: KnownEndings,
): Promise<boolean> {
  if (passphraseSetAt === undefined) return false;
  const from = new Date(Date.parse(passphraseSetAt) - LINK_MS).toISOString();
  return !(await owner.isPassphraseSetSince(from));
}

interface StoredTerms extends ChangedTerms {
  readonly keys?: readonly string[];
}

/** The body of a stored grant with what both it and `allowed` let an app read; nothing where that is all of it. */
function narrowStreams(body: string, allowed: readonly ChangedTerms[]): string | undefined {
  const stored = parseBody(body);
  if (stored === undefined) return undefined;
  const streams = stored.streams.flatMap((terms) => {
    const limit = allowed.find(
      (one) => one.connection_id === terms.connection_id && one.stream === terms.stream,
    );
    return limit === undefined ? [] : narrow(terms, limit);
  });
  if (JSON.stringify(streams) === JSON.stringify(stored.streams)) return undefined;
  // Under another name, so that cursors made with other terms are refused.
  return JSON.stringify({ ...stored, revision: `rev_${randomUUID()}`, streams });
}

function narrow(terms: StoredTerms, limit: ChangedTerms): StoredTerms[] {
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

/** A body that cannot be read lets nobody read anything, and is left alone. */
function parseBody(body: string): ({ streams: StoredTerms[] } & Record<string, unknown>) | undefined {
  try {
    const { streams, ...rest } = JSON.parse(body) as { streams?: StoredTerms[] };
    return Array.isArray(streams) ? { ...rest, streams } : undefined;
  } catch {
    return undefined;
  }
}
