import type { ClientBase } from 'pg';
import { withTimeout } from './with-timeout.ts';

const TIMEOUT_MS = 1_000;

const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
/** The name of a log file begins with the timeline in hexadecimal. */
const TIMELINE = `select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`;
/** Databases that only speak like PostgreSQL have no timelines. */
const MISSING = ['42883', '0A000'];

/**
 * Returns the timeline of a server, which grows with each failover: a primary that was replaced, and does not know it yet,
 * has a lower one. Throws like a statement that writes, if the server accepts no changes.
 */
export async function ratePrimary(client: ClientBase): Promise<number> {
  const query = async (text: string) => (await withTimeout(TIMEOUT_MS, client.query(text))).rows[0];
  if ((await query(IS_READ_ONLY))?.isReadOnly === true)
    throw Object.assign(new Error('The server accepts no changes.'), { code: '25006' });
  try {
    return Number.parseInt((await query(TIMELINE))?.timeline, 16);
  } catch (error) {
    if (MISSING.includes((error as { code: string }).code)) return 0;
    throw error;
  }
}
