import { randomUUID } from 'node:crypto';
import type { ChangedTerms, KnownEndings } from '../audit/known-endings.ts';
import { PASSPHRASE_TIME_SETTING, type ReadStore, type WriteStore } from '../store/sqlite/open-store.ts';

/**
 * Ends again what the event log knows to have ended and the store says is live: a store that was put back from an
 * older copy beside a newer log. Of two that disagree, the ending wins. Says how many things were ended.
 */
export function reapplyEndings(store: WriteStore, endings: KnownEndings): Promise<number> {
  return store.transact(
    async () =>
      (await endGrants(store.db, endings)) +
      (await endConnections(store.db, endings)) +
      (await shortenExpiries(store.db, endings)) +
      (await narrowTerms(store.db, endings)) +
      (await endSessions(store.db, endings)) +
      (await endOwnerTokens(store.db, endings)),
  );
}

/**
 * Whether the passphrase in the store is an older one than was last set. It cannot be brought back, only set anew. The
 * store notes the time moments before the log hears of it. A store of an earlier version has only the link by which the
 * passphrase was set.
 */
export async function isPassphraseOld(
  { db }: ReadStore,
  { passphraseSetAt }: KnownEndings,
): Promise<boolean> {
  if (passphraseSetAt === undefined) return false;
  const from = new Date(Date.parse(passphraseSetAt) - LINK_MS).toISOString();
  const noted = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PASSPHRASE_TIME_SETTING)
    .executeTakeFirst();
  if (noted !== undefined && noted.value >= from) return false;
  const links = db.selectFrom('setup_links').select('link_hash').where('used_at', '>=', from);
  return (await links.executeTakeFirst()) === undefined;
}

const LINK_MS = 60_000;

type Db = WriteStore['db'];

async function endGrants(db: Db, { revoked }: KnownEndings): Promise<number> {
  let ended = 0;
  for (const [grantId, revoked_at] of revoked) {
    const { numUpdatedRows } = await db
      .updateTable('grants')
      .set({ revoked_at })
      .where('grant_id', '=', grantId)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    ended += Number(numUpdatedRows);
  }
  return ended;
}

async function endConnections(db: Db, { connections }: KnownEndings): Promise<number> {
  let count = 0;
  for (const [grantId, ended] of connections) {
    const stored = await db
      .selectFrom('grants')
      .select('ended_connections')
      .where('grant_id', '=', grantId)
      .executeTakeFirst();
    if (stored === undefined) continue;
    const known = JSON.parse(stored.ended_connections ?? '[]') as string[];
    const missing = [...ended].filter((connection) => !known.includes(connection));
    if (missing.length === 0) continue;
    await db
      .updateTable('grants')
      .set({ ended_connections: JSON.stringify([...known, ...missing]) })
      .where('grant_id', '=', grantId)
      .execute();
    count += missing.length;
  }
  return count;
}

async function shortenExpiries(db: Db, { expiries }: KnownEndings): Promise<number> {
  let shortened = 0;
  for (const [grantId, expires_at] of expiries) {
    const { numUpdatedRows } = await db
      .updateTable('grants')
      .set({ expires_at })
      .where('grant_id', '=', grantId)
      .where((grant) => grant.or([grant('expires_at', 'is', null), grant('expires_at', '>', expires_at)]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) continue;
    shortened += Number(numUpdatedRows);
    // As when it was set: a token made on the command line lasts as long as its grant.
    await db
      .updateTable('tokens')
      .set({ expires_at })
      .where('grant_id', '=', grantId)
      .where('payload', 'is', null)
      .execute();
  }
  return shortened;
}

/** A grant never reads more than the owner last approved, whatever an older copy of the store says. */
async function narrowTerms(db: Db, { terms }: KnownEndings): Promise<number> {
  let narrowed = 0;
  for (const [grantId, allowed] of terms) {
    const stored = await db
      .selectFrom('grants')
      .select('body')
      .where('grant_id', '=', grantId)
      .executeTakeFirst();
    const body = stored && narrowStreams(stored.body, allowed ?? []);
    if (body === undefined) continue;
    await db.updateTable('grants').set({ body }).where('grant_id', '=', grantId).execute();
    narrowed += 1;
  }
  return narrowed;
}

async function endSessions(db: Db, { signedOutAt }: KnownEndings): Promise<number> {
  if (signedOutAt === undefined) return 0;
  const older = db.deleteFrom('sessions').where('created_at', '<', signedOutAt);
  return Number((await older.executeTakeFirstOrThrow()).numDeletedRows);
}

async function endOwnerTokens(db: Db, { ownerTokensEndedAt }: KnownEndings): Promise<number> {
  if (ownerTokensEndedAt === undefined) return 0;
  const owners = db.deleteFrom('tokens').where('kind', '=', 'owner');
  const older = owners.where('created_at', '<', ownerTokensEndedAt);
  return Number((await older.executeTakeFirstOrThrow()).numDeletedRows);
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
