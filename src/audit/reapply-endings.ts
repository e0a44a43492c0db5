import type Database from 'better-sqlite3';
import type { ReadStore, WriteStore } from '../store/open-store.ts';
import type { KnownEndings } from './known-endings.ts';

/**
 * Ends again what the event log knows to have ended and the store says is live: a store that was put back from an
 * older copy beside a newer log. Of two that disagree, the ending wins. Says how many things were ended.
 */
export function reapplyEndings(store: WriteStore, endings: KnownEndings): Promise<number> {
  return store.transactAtOnce(
    (raw) =>
      endGrants(raw, endings) +
      endConnections(raw, endings) +
      shortenExpiries(raw, endings) +
      forgetOlder(raw, 'sessions', '1 = 1', endings.signedOutAt) +
      forgetOlder(raw, 'tokens', `kind = 'owner'`, endings.ownerTokensEndedAt),
  );
}

/**
 * Whether the passphrase in the store is an older one than was last set. It cannot be brought back, only set anew. The
 * link that a passphrase is set by is used up in the store moments before the log hears of it.
 */
export async function isPassphraseOld(
  { db }: ReadStore,
  { passphraseSetAt }: KnownEndings,
): Promise<boolean> {
  if (passphraseSetAt === undefined) return false;
  const from = new Date(Date.parse(passphraseSetAt) - LINK_MS).toISOString();
  const links = db.selectFrom('setup_links').select('link_hash').where('used_at', '>=', from);
  return (await links.executeTakeFirst()) === undefined;
}

const LINK_MS = 60_000;

function endGrants(raw: Database.Database, { revoked }: KnownEndings): number {
  const end = raw.prepare('update grants set revoked_at = ? where grant_id = ? and revoked_at is null');
  return sum([...revoked].map(([grantId, at]) => end.run(at, grantId).changes));
}

function endConnections(raw: Database.Database, { connections }: KnownEndings): number {
  const find = raw.prepare('select ended_connections from grants where grant_id = ?').pluck();
  const end = raw.prepare('update grants set ended_connections = ? where grant_id = ?');
  return sum(
    [...connections].map(([grantId, ended]) => {
      const stored = find.get(grantId) as string | null | undefined;
      if (stored === undefined) return 0;
      const known = JSON.parse(stored ?? '[]') as string[];
      const missing = [...ended].filter((connection) => !known.includes(connection));
      if (missing.length > 0) end.run(JSON.stringify([...known, ...missing]), grantId);
      return missing.length;
    }),
  );
}

function shortenExpiries(raw: Database.Database, { expiries }: KnownEndings): number {
  const shorten = raw.prepare(
    'update grants set expires_at = $at where grant_id = $grant and (expires_at is null or expires_at > $at)',
  );
  // As when it was set: a token made on the command line lasts as long as its grant.
  const follow = raw.prepare(
    'update tokens set expires_at = $at where grant_id = $grant and payload is null',
  );
  return sum(
    [...expiries].map(([grant, at]) => {
      const { changes } = shorten.run({ grant, at });
      if (changes > 0) follow.run({ grant, at });
      return changes;
    }),
  );
}

function forgetOlder(raw: Database.Database, table: string, which: string, at: string | undefined): number {
  if (at === undefined) return 0;
  return raw.prepare(`delete from ${table} where ${which} and created_at < ?`).run(at).changes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
