import { createHmac } from 'node:crypto';
import type Database from 'better-sqlite3';
import { deriveKey } from '../../secrets/derive-key.ts';

/**
 * What of a row its seal covers, in this order. Each seal is made over the row and the seal before it, with a
 * key that is not in the file, so that a row cannot be changed, taken out or moved without showing
 * (docs/decisions/audit-chain.md).
 */
export const chainColumns = {
  audit: [
    ...['id', 'at', 'request_id', 'client', 'grant_id', 'surface', 'tool', 'connection_id', 'stream'],
    ...['fields', 'records', 'tokens_out', 'ms', 'outcome', 'touched', 'way'],
  ],
  events: ['id', 'at', 'kind', 'client_id', 'client', 'grant_id', 'detail', 'n'],
} as const;

/** Columns that came after the first seals. A row that has nothing in them is sealed as it was before they came. */
const LATER: Readonly<Record<ChainName, readonly string[]>> = { audit: ['touched', 'way'], events: [] };

export type ChainName = keyof typeof chainColumns;
export type ChainValue = string | number | null;

/** What stands before the first row. */
export const CHAIN_START = Buffer.alloc(32);

export function deriveChainKey(secret: Uint8Array): Buffer {
  return deriveKey(secret, 'audit chain');
}

/** The seal of a row, given its values in the order of `chainColumns`. */
export function sealRow(
  key: Uint8Array,
  before: Uint8Array | null,
  chain: ChainName,
  values: readonly ChainValue[],
): Buffer {
  return createHmac('sha256', key)
    .update(before ?? CHAIN_START)
    .update(JSON.stringify([chain, ...leaveOutLater(chain, values)]))
    .digest();
}

/** Only empty ones at the end are left out, so that no two rows are sealed alike. */
function leaveOutLater(chain: ChainName, values: readonly ChainValue[]): readonly ChainValue[] {
  let length = values.length;
  const first = chainColumns[chain].length - LATER[chain].length;
  while (length > first && values[length - 1] === null) length -= 1;
  return values.slice(0, length);
}

/** The seal of anything else that is kept beside the chains. */
export function sealNote(key: Uint8Array, what: string, values: readonly ChainValue[]): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([`note: ${what}`, ...values]))
    .digest();
}

/** Tells keys apart without giving one away. */
export function fingerprintOf(key: Uint8Array): string {
  return sealNote(key, 'fingerprint', []).toString('base64url').slice(0, 16);
}

/** A key begins to seal: rows up to these ids are not its own. */
export function addChainKey(
  database: Database.Database,
  key: Uint8Array,
  after: { audit: number; events: number },
  at: string,
): void {
  const values = [fingerprintOf(key), after.audit, after.events, at] as const;
  database
    .prepare(
      'insert into chain_keys (fingerprint, audit_after, events_after, at, seal) values (?, ?, ?, ?, ?)',
    )
    .run(...values, sealNote(key, 'key', values));
}

const PAGE = 1_000;

/** Gives the rows of a chain that has no seals yet its seals: what was written before there were any. */
export function sealStoredRows(database: Database.Database, key: Uint8Array, chain: ChainName): void {
  const columns = chainColumns[chain].filter((name) => !LATER[chain].includes(name));
  const read = database
    .prepare(`select ${columns.join(', ')} from ${chain} where id > ? order by id limit ${PAGE}`)
    .raw();
  const write = database.prepare(`update ${chain} set mac = ? where id = ?`);
  let before: Uint8Array = CHAIN_START;
  for (let rows = nextRows(0); rows.length > 0; rows = nextRows(rows.at(-1)?.[0] as number)) {
    for (const values of rows) {
      before = sealRow(key, before, chain, values);
      write.run(before, values[0]);
    }
  }

  function nextRows(after: number): [id: number, ...rest: ChainValue[]][] {
    return read.all(after) as [number, ...ChainValue[]][];
  }
}
