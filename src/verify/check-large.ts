import type Database from 'better-sqlite3';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { LARGE_BYTES } from '../store/large/long-value.ts';
import { splitRecord } from '../store/large/split-record.ts';
import type { Problems } from './finding.ts';

interface Version {
  readonly key: string;
  readonly seq: number;
}

/** Compares what lies beside the large records of a stream, earlier versions included, with their data. */
export function checkLargeRecords(raw: Database.Database, stream: CatalogStream, problems: Problems): void {
  const fields = [...stream.fields.keys()];
  const readFields = raw.prepare('select * from large_fields where seq = ?').raw();
  const readPieces = raw
    .prepare('select * from large_pieces where seq = ? and field = ? order by start')
    .raw();
  const isKnown = raw.prepare('select 1 from large_records where stream_id = ? and seq = ?');
  const expected = new Set<number>();
  for (const [table, seqColumn] of [
    ['records', 'seq'],
    ['history', 'from_seq'],
  ] as const) {
    const list = raw.prepare(
      `select key, ${seqColumn} as seq from ${table} where stream_id = ? and octet_length(data) > ${LARGE_BYTES}`,
    );
    const read = raw
      .prepare(`select data from ${table} where stream_id = ? and key = ? and ${seqColumn} = ?`)
      .pluck();
    for (const { key, seq } of list.all(stream.streamId) as Version[]) {
      expected.add(seq);
      const parts = [...splitRecord(read.get(stream.streamId, key, seq) as string, fields)];
      const rows = sortRows(parts.map(({ row }) => [seq, ...row]));
      const isWhole =
        isKnown.get(stream.streamId, seq) !== undefined &&
        isSame(sortRows(readFields.all(seq)), rows) &&
        parts.every(({ row: [field], pieces }) =>
          isSame(
            readPieces.all(seq, field),
            pieces.map((piece) => [seq, field, ...piece]),
          ),
        );
      if (!isWhole) problems.add('large records whose parts disagree with their data', key);
    }
  }
  const known = raw.prepare('select key, seq from large_records where stream_id = ?');
  for (const { key, seq } of known.all(stream.streamId) as Version[])
    if (!expected.has(seq)) problems.add('parts of large records that are not there', key);
}

function sortRows(rows: unknown[]): unknown[] {
  return (rows as [number, string][]).sort(([, a], [, b]) => (a < b ? -1 : 1));
}

function isSame(stored: unknown, expected: unknown): boolean {
  return JSON.stringify(stored) === JSON.stringify(expected);
}
