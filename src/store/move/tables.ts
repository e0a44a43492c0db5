import { SLOT_COUNT } from '../scope.ts';

/** `json` is text that PostgreSQL stores with different escapes. */
export type ColumnType = 'integer' | 'real' | 'text' | 'json';

/** A table in a form that both engines can read and write. If it has slots, these are its last columns. */
export interface MovedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that identify a row. Rows are read and written in their order. */
  readonly key: readonly string[];
  readonly hasSlots: boolean;
  /** The number of rows that one statement reads. */
  readonly pageRows: number;
  /** In SQLite, the audit has a file of its own. */
  readonly isAudit: boolean;
}

type Options = Partial<Pick<MovedTable, 'hasSlots' | 'pageRows' | 'isAudit'>>;

const PAGE_ROWS = 1_000;

/** Columns are texts unless their names end with `#` (an integer), `~` (a float) or `{}` (JSON). */
function define(name: string, key: string, rest: string, options: Options = {}): MovedTable {
  const columns = `${key} ${rest}`.trim().split(' ').map(parseColumn);
  return {
    name,
    columns: Object.fromEntries(columns),
    key: columns.slice(0, key.split(' ').length).map(([column]) => column),
    ...{ hasSlots: false, pageRows: PAGE_ROWS, isAudit: false },
    ...options,
  };
}

const types: Readonly<Record<string, ColumnType>> = { '#': 'integer', '~': 'real', '{}': 'json' };

function parseColumn(text: string): [name: string, type: ColumnType] {
  const mark = /[#~]$|\{\}$/.exec(text)?.[0] ?? '';
  return [text.slice(0, text.length - mark.length), types[mark] ?? 'text'];
}

const audit = { isAudit: true };

/** Every table of a store, parents first. The word index is built from the records. */
export const movedTables: readonly MovedTable[] = [
  define('sources', 'connector_key', 'declaration declaration_version added_at'),
  define('connections', 'connection_id', 'connector_key display_name created_at account self'),
  define('streams', 'stream_id#', 'connection_id stream plan'),
  define('removals', 'stream_id#', 'connection_id removed_at'),
  define('imports', 'import_id#', 'connection_id format started_at ended_at state report'),
  define('import_spans', 'import_id# stream_id# from_seq#', 'to_seq#'),
  define(
    'accounts',
    'account_id',
    'kind account connection_id settings credentials allows_private# interval_seconds# paused# collections state created_at last_run_at last_changes problem stopped# next_run_at failures# emitted_at# running_until progress',
  ),
  define('account_items', 'account_id collection item', 'version'),
  define('account_records', 'stream_id# key account_id collection item', 'was_there#'),
  define(
    'grants',
    'grant_id',
    'client_name created_at expires_at revoked_at body client_id verified_host redirect_host ended_connections',
  ),
  define('tokens', 'token_hash', 'kind grant_id created_at expires_at resource payload'),
  define(
    'oauth_items',
    'kind id_hash',
    'payload grant_id uid_hash user_code_hash created_at# expires_at# consumed_at#',
  ),
  define('sessions', 'session_hash', 'created_at seen_at expires_at user_agent'),
  define('setup_links', 'link_hash', 'created_at expires_at used_at'),
  define('lexicon', 'word', '', { pageRows: 10_000 }),
  // Row ids keep their order and meaning: cursors and the word index depend on them.
  define('records', 'rid#', 'stream_id# key t# emitted_at# seq# data{}', {
    hasSlots: true,
    pageRows: 10_000,
  }),
  define('history', 'stream_id# key from_seq#', 'to_seq# t# emitted_at# data{}', { hasSlots: true }),
  define('deletions', 'stream_id# key', 'emitted_at# seq#', { pageRows: 10_000 }),
  define('days', 'stream_id# day#', 'n#', { pageRows: 10_000 }),
  define('large_records', 'stream_id# seq#', 'key'),
  define('large_fields', 'seq# field', 'type value{} hash items{} json_chars# chars# lines# escapes#', {
    pageRows: 100,
  }),
  define('large_pieces', 'seq# field start#', 'shown_start# lines# text', { pageRows: 100 }),
  // Each may have megabytes.
  define('large_past', 'seq#', 'data{}', { pageRows: 4 }),
  define(
    'audit',
    'id#',
    'at request_id client grant_id surface tool connection_id stream fields records# tokens_out# ms~ outcome touched# way',
    audit,
  ),
  define('events', 'id#', 'at kind client_id client grant_id detail n#', audit),
  define(
    'usage_days',
    'day grant_id client surface tool outcome',
    'calls# records# tokens_out# first_at last_at',
    audit,
  ),
  define('pruned', 'log', 'through_id#', audit),
];

/** Tables of a few rows, which are written last and as a whole. */
export const stateTables: readonly MovedTable[] = [
  define('settings', 'name', 'value'),
  define('counters', 'name', 'value#'),
];

/** Counters that both engines use. Each engine also has counters of its own, which are not moved. */
export const movedCounters: readonly string[] = ['catalog', 'import', 'seq'];

/** Settings that only one engine uses. SQLite: ids of the data folder. PostgreSQL: the hash of the server secret, an owner's secret. */
const ENGINE_SETTINGS = ['folder_mark', 'made_anew', 'server_secret_hash', 'owner_secret'];
/** Stored in a target until it is complete: the fingerprint of the source. */
export const UNFINISHED_MOVE_SETTING = 'unfinished_move';

export function isMovedSetting(name: string): boolean {
  return !ENGINE_SETTINGS.includes(name) && name !== UNFINISHED_MOVE_SETTING;
}

/** A table by its name. */
export function getTable(name: string): MovedTable {
  const table = [...movedTables, ...stateTables].find((one) => one.name === name);
  if (table === undefined) throw new Error(`unknown table ${name}`);
  return table;
}

/** The number of values in a row. */
export function widthOf({ columns, hasSlots }: MovedTable): number {
  return Object.keys(columns).length + (hasSlots ? SLOT_COUNT : 0);
}
