import type Database from 'better-sqlite3';
import { INDEXED_SLOTS, TEXT_COLUMNS } from '../scope.ts';
import { buildLargeRecords } from './large/large-records.ts';
import { slotColumns } from './tables.ts';
import { rebuildLongTexts, rebuildTexts } from './write/rebuild-texts.ts';

const slots = slotColumns.join(', ');
const texts = Array.from({ length: TEXT_COLUMNS }, (_, i) => `c${i}`).join(', ');

/**
 * Partial, because most slots of most streams are empty: an index then has rows only for records with a value. `key`
 * ends every index, so that (t, key) order comes straight from it.
 */
const slotIndexes = slotColumns
  .slice(0, INDEXED_SLOTS)
  .map((s) => `create index facets_${s} on facets (stream_id, ${s}, t, key) where ${s} is not null;`)
  .join('\n');

/** SQL, or code where stored rows have to be read for it. Runs inside the transaction of the upgrade. */
export type Migration = string | ((database: Database.Database, upgrade: Upgrade) => void);

export interface Upgrade {
  /** Called with progress messages. */
  report(message: string): void;
}

/** Each entry brings the store from version i to i + 1. Entries are never edited once released. */
export const migrations: readonly Migration[] = [
  `
  create table settings (name text primary key, value text not null) without rowid;
  create table counters (name text primary key, value integer not null) without rowid;
  insert into counters values ('seq', 0), ('catalog', 0);

  create table sources (
    connector_key text primary key, declaration text not null,
    declaration_version text not null, added_at text not null
  ) without rowid;
  create table connections (
    connection_id text primary key, connector_key text not null references sources,
    display_name text not null, created_at text not null
  ) without rowid;
  create table streams (
    stream_id integer primary key, connection_id text not null references connections,
    stream text not null, plan text not null, unique (connection_id, stream)
  );

  -- rid holds stream, minute and a counter, so rows of a stream lie in time order (see rid.ts).
  create table records (
    rid integer primary key, stream_id integer not null, key text not null, t integer not null,
    emitted_at integer not null, seq integer not null, data text not null
  );
  create unique index records_key on records (stream_id, key);
  create index records_seq on records (stream_id, seq);
  create table facets (
    stream_id integer not null, t integer not null, key text not null, rid integer not null, ${slots},
    primary key (stream_id, t, key)
  ) without rowid;
  ${slotIndexes}
  create table history (
    stream_id integer not null, key text not null, from_seq integer not null, to_seq integer not null,
    t integer not null, emitted_at integer not null, data text, ${slots},
    primary key (stream_id, key, from_seq)
  ) without rowid;
  create index history_to on history (stream_id, to_seq);
  create table deletions (
    stream_id integer not null, key text not null, emitted_at integer not null, seq integer not null,
    primary key (stream_id, key)
  ) without rowid;
  create table days (
    stream_id integer not null, day integer not null, n integer not null, primary key (stream_id, day)
  ) without rowid;

  create virtual table texts using fts5 (
    ${texts}, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
  );
  create virtual table words using fts5vocab (texts, row);

  create table grants (
    grant_id text primary key, client_name text not null, created_at text not null,
    expires_at text, revoked_at text, body text not null
  ) without rowid;
  create table tokens (
    token_hash text primary key, kind text not null, grant_id text references grants,
    created_at text not null, expires_at text
  ) without rowid;
  `,
  `
  -- Who asked, as the owner saw it when approving; null for a grant made on the command line.
  alter table grants add column client_id text;
  alter table grants add column verified_host text;
  alter table grants add column redirect_host text;
  -- JSON list of connections the owner has ended since; the frozen body is never edited.
  alter table grants add column ended_connections text;
  -- The address the token was issued for, and what the authorization server knows of it.
  alter table tokens add column resource text;
  alter table tokens add column payload text;
  create index tokens_grant on tokens (grant_id);

  -- Codes, refresh tokens, registrations and the like. Ids are secrets, so only their hashes are kept.
  create table oauth_items (
    kind text not null, id_hash text not null, payload text not null, grant_id text,
    uid_hash text, user_code_hash text, created_at integer not null, expires_at integer, consumed_at integer,
    primary key (kind, id_hash)
  ) without rowid;
  create index oauth_items_grant on oauth_items (grant_id) where grant_id is not null;
  create index oauth_items_uid on oauth_items (kind, uid_hash) where uid_hash is not null;
  create index oauth_items_user_code on oauth_items (kind, user_code_hash) where user_code_hash is not null;
  create index oauth_items_expiry on oauth_items (expires_at) where expires_at is not null;

  -- The owner's browsers. A form's CSRF value is derived from the session, so it is not stored.
  create table sessions (
    session_hash text primary key, created_at text not null, seen_at text not null, expires_at text not null,
    user_agent text
  ) without rowid;
  create table setup_links (
    link_hash text primary key, created_at text not null, expires_at text not null, used_at text
  ) without rowid;
  `,
  `
  -- With the time in them, what changed outside of a grant's window is passed over without looking at the record.
  drop index records_seq;
  create index records_seq on records (stream_id, seq, t);
  drop index history_to;
  create index history_to on history (stream_id, to_seq, t);
  `,
  // One tokenizer for index, query, dictionary and ranking: see docs/decisions/one-tokenizer.md.
  (database, { report }) => rebuildTexts(database, report),
  `
  -- Which account a connection holds, and who the owner is in it (a JSON list), where an export told.
  alter table connections add column account text;
  alter table connections add column self text;

  -- What was brought in, when, and what became of it; report is JSON.
  create table imports (
    import_id integer primary key autoincrement, connection_id text not null, format text not null,
    started_at text not null, ended_at text, state text not null, report text not null
  );
  create index imports_connection on imports (connection_id);
  -- The change numbers that an import has taken: by them it can be undone.
  create table import_spans (
    import_id integer not null references imports, stream_id integer not null, from_seq integer not null,
    to_seq integer not null, primary key (import_id, stream_id, from_seq)
  ) without rowid;
  -- Where each word stands, for ranking without reading a text.
  create virtual table places using fts5vocab (texts, instance);
  `,
  `
  -- Streams of removed connections whose records are still being erased. Their numbers are not given out again.
  create table removals (
    stream_id integer primary key, connection_id text not null, removed_at text not null
  );
  `,
  // Tables with large records split into fields: see docs/decisions/large-records-by-field.md.
  (database, { report }) => rebuildLongTexts(database, buildLargeRecords(database, report)),
  `
  -- Accounts that sync: see docs/decisions/items-and-references.md.
  create table accounts (
    account_id text primary key, kind text not null, account text not null, connection_id text,
    settings text not null, credentials text, allows_private integer not null,
    interval_seconds integer not null, paused integer not null, collections text, state text,
    created_at text not null, last_run_at text, last_changes text, problem text, stopped integer not null,
    next_run_at text, failures integer not null, emitted_at integer not null, running_until text, progress text
  ) without rowid;
  create index accounts_connection on accounts (connection_id);
  create table account_items (
    account_id text not null references accounts, collection text not null, item text not null, version text,
    primary key (account_id, collection, item)
  ) without rowid;
  -- The records of each item. A record of several items is there several times.
  create table account_records (
    stream_id integer not null, key text not null, account_id text not null references accounts,
    collection text not null, item text not null, was_there integer not null,
    primary key (stream_id, key, account_id, collection, item)
  ) without rowid;
  create index account_records_item on account_records (account_id, collection, item);
  create index account_records_waiting on account_records (account_id) where item = '';
  `,
];

export const auditMigrations: readonly Migration[] = [
  `
  create table audit (
    id integer primary key, at text not null, request_id text not null, client text not null,
    grant_id text, surface text not null, tool text not null, connection_id text, stream text, fields text,
    records integer not null, tokens_out integer not null, ms real not null, outcome text not null
  );
  create index audit_grant on audit (grant_id, id);
  `,
  `
  create index audit_at on audit (at);
  -- What happened around reading: registrations, approvals, sign-ins, alarms.
  create table events (
    id integer primary key, at text not null, kind text not null, client_id text, client text,
    grant_id text, detail text
  );
  create index events_client on events (client_id, kind, id);
  create index events_grant on events (grant_id, kind, id);
  create index events_at on events (at);
  `,
  `
  -- Signatures of a former hash chain: unused since version 5, empty in entries that never had one.
  alter table audit add column mac blob;
  alter table events add column mac blob;
  -- How often it happened: what strangers can cause without end is counted, not written one by one.
  alter table events add column n integer not null default 1;

  create table chain_keys (
    key_id integer primary key, fingerprint text not null, audit_after integer not null,
    events_after integer not null, at text not null, seal blob not null
  );
  create table chain_gaps (
    chain text not null, after_id integer not null, through_id integer not null, entries integer not null,
    cause text not null, at text not null, mac_before blob not null, mac_after blob not null,
    seal blob not null, primary key (chain, after_id)
  ) without rowid;
  -- What is left of pruned reads: counts per day of the owner's calendar. grant_id is empty for the owner.
  create table usage_days (
    day text not null, grant_id text not null, client text not null, surface text not null,
    tool text not null, outcome text not null, calls integer not null, records integer not null,
    tokens_out integer not null, first_at text not null, last_at text not null, seal blob not null,
    primary key (day, grant_id, client, surface, tool, outcome)
  ) without rowid;
  create index usage_days_grant on usage_days (grant_id);
  `,
  `
  -- How many records a read went over, where that is more than it gave out, and how: 'sum by category'.
  alter table audit add column touched integer;
  alter table audit add column way text;
  `,
  `
  -- No hash chain any more (docs/decisions/audit-without-hash-chain.md). The mac columns of audit and events stay,
  -- unused: dropping them would rewrite the whole file.
  -- Up to which number retention has removed entries: after it, a missing number was not removed by us.
  create table pruned (log text primary key, through_id integer not null) without rowid;
  insert into pruned select chain, max(through_id) from chain_gaps where cause = 'pruned' group by chain;
  drop table chain_gaps;
  drop table chain_keys;
  alter table usage_days drop column seal;
  `,
];
