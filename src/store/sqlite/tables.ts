import type { Generated } from 'kysely';
import type { AccountRow } from '../accounts/account-store.ts';
import { SLOT_COUNT } from '../scope.ts';
import type { Value } from '../values.ts';

export type SlotColumn = `s${number}`;
export type Slots = Record<SlotColumn, Value>;

export const slotColumns: readonly SlotColumn[] = Array.from(
  { length: SLOT_COUNT },
  (_, i) => `s${i}` as const,
);

export interface Tables {
  settings: { name: string; value: string };
  counters: { name: string; value: number };
  sources: { connector_key: string; declaration: string; declaration_version: string; added_at: string };
  connections: {
    connection_id: string;
    connector_key: string;
    display_name: string;
    created_at: string;
    account: string | null;
    /** JSON: names and addresses of the owner in this account. */
    self: string | null;
  };
  imports: {
    import_id: Generated<number>;
    connection_id: string;
    format: string;
    started_at: string;
    ended_at: string | null;
    state: string;
    /** JSON. */
    report: string;
  };
  import_spans: { import_id: number; stream_id: number; from_seq: number; to_seq: number };
  accounts: AccountRow;
  account_items: { account_id: string; collection: string; item: string; version: string | null };
  account_records: {
    stream_id: number;
    key: string;
    account_id: string;
    collection: string;
    item: string;
    was_there: number;
  };
  streams: {
    stream_id: Generated<number>;
    connection_id: string;
    stream: string;
    /** JSON: {slots: {field: column number}, texts: {field: column number}}. Entries are added and never changed. */
    plan: string;
  };
  /** Streams of removed connections whose records are still being erased. */
  removals: { stream_id: number; connection_id: string; removed_at: string };
  records: {
    /** The row id: minute, stream and counter. */
    rid: number;
    stream_id: number;
    key: string;
    /** The time in milliseconds, or NO_TIME. */
    t: number;
    emitted_at: number;
    /** The change number. */
    seq: number;
    data: string;
  };
  facets: { stream_id: number; t: number; key: string; rid: number } & Slots;
  history: {
    stream_id: number;
    key: string;
    from_seq: number;
    to_seq: number;
    t: number;
    emitted_at: number;
    /** Null once the record was deleted: a deletion also erases past versions. */
    data: string | null;
  } & Slots;
  /** Versions of large records, by the change that wrote them; see large/large-records.ts. */
  large_records: { stream_id: number; seq: number; key: string };
  large_fields: {
    seq: number;
    field: string;
    /** `short`, or the kind of long value. */
    type: string;
    /** JSON: a short value, or the beginning of a long one. */
    value: string;
    hash: string | null;
    /** JSON: the first items of a long list. */
    items: string | null;
    json_chars: number;
    /** Counts of the text in the form that results show: characters, line breaks, escaped characters. */
    chars: number;
    lines: number;
    escapes: number;
  };
  /** The data of large past versions, to which `history.data` refers as `#` and the change number. */
  large_past: { seq: number; data: string };
  large_pieces: {
    piece_id: Generated<number>;
    seq: number;
    field: string;
    start: number;
    shown_start: number;
    lines: number;
    text: string;
  };
  deletions: { stream_id: number; key: string; emitted_at: number; seq: number };
  days: { stream_id: number; day: number; n: number };
  /** Every word of the records, once; misspelt words are compared with them. See write/lexicon.ts. */
  lexicon: { id: Generated<number>; word: string };
  grants: {
    grant_id: string;
    client_name: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    body: string;
    client_id: string | null;
    verified_host: string | null;
    redirect_host: string | null;
    /** JSON: connection ids. */
    ended_connections: string | null;
  };
  tokens: {
    token_hash: string;
    kind: string;
    grant_id: string | null;
    created_at: string;
    expires_at: string | null;
    resource: string | null;
    payload: string | null;
  };
  oauth_items: {
    kind: string;
    id_hash: string;
    /** JSON, without the id itself. */
    payload: string;
    grant_id: string | null;
    uid_hash: string | null;
    user_code_hash: string | null;
    /** Seconds, as the authorization server counts. */
    created_at: number;
    expires_at: number | null;
    consumed_at: number | null;
  };
  sessions: {
    session_hash: string;
    created_at: string;
    seen_at: string;
    expires_at: string;
    user_agent: string | null;
  };
  setup_links: { link_hash: string; created_at: string; expires_at: string; used_at: string | null };
}
