import type Database from 'better-sqlite3';
import { CHAIN_START, type ChainName, type ChainValue, chainColumns, sealRow } from './chain.ts';
import type { AuditStore } from './open-store.ts';

/** Where a chain ends: the id and the seal that the next row is joined to. */
export interface ChainEnd {
  readonly id: number;
  readonly mac: Uint8Array;
}

/** Adds one row, given its values after the id. It is stored when the promise is kept. */
export type Append = (values: readonly ChainValue[]) => Promise<void>;

/**
 * Writes to one chain. The row before is read and the new one written in one transaction that began as a
 * writer, so that several processes can write and no two rows ever follow the same one.
 */
export function createAppend({ transactAtOnce, chainKey }: AuditStore, chain: ChainName): Append {
  const columns = chainColumns[chain];
  const prepare = (raw: Database.Database) => ({
    insert: raw.prepare(
      `insert into ${chain} (${columns.join(', ')}, mac) values (${columns.map(() => '?').join(', ')}, ?)`,
    ),
    findEnd: createEndFinder(raw, chain),
  });
  let statements: ReturnType<typeof prepare> | undefined;
  return (values) =>
    transactAtOnce((raw) => {
      statements ??= prepare(raw);
      const end = statements.findEnd();
      const row = [end.id + 1, ...values.map(asStored)];
      statements.insert.run(...row, sealRow(chainKey, end.mac, chain, row));
    });
}

/** A text that ends in half a character is not stored as it was given, and would not fit its seal. */
function asStored(value: ChainValue): ChainValue {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

export function createEndFinder(raw: Database.Database, chain: ChainName): () => ChainEnd {
  const lastRow = raw.prepare(`select id, mac from ${chain} order by id desc limit 1`);
  const lastGap = raw.prepare(
    'select through_id as id, mac_after as mac from chain_gaps where chain = ? order by after_id desc limit 1',
  );
  return () => {
    const row = lastRow.get() as { id: number; mac: Uint8Array | null } | undefined;
    const gap = lastGap.get(chain) as ChainEnd | undefined;
    if (row !== undefined && row.id > (gap?.id ?? 0)) return { id: row.id, mac: row.mac ?? CHAIN_START };
    return gap ?? { id: 0, mac: CHAIN_START };
  };
}
