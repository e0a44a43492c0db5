import type Database from 'better-sqlite3';
import type { CatalogStream } from '../../../schema-index/catalog.ts';
import { LARGE_BYTES } from '../../large/long-value.ts';
import { splitRecord } from '../../large/split-record.ts';
import type { Problems } from '../check/finding.ts';

interface Version {
  readonly key: string;
  readonly seq: number;
}

/** Compares the rows that store large records field by field, earlier versions included, with the records. */
export function checkLargeRecords(raw: Database.Database, stream: CatalogStream, problems: Problems): void {
  const fields = [...stream.fields.keys()];
  const readFields = raw.prepare('select * from large_fields where seq = ?').raw();
  const readPieces = raw
    .prepare(
      'select seq, field, start, shown_start, lines, text from large_pieces where seq = ? and field = ? order by start',
    )
    .raw();
  const isKnown = raw.prepare('select 1 from large_records where stream_id = ? and seq = ?');
  const expected = new Set<number>();
  for (const [list, read] of [
    [
      `select key, seq from records where stream_id = ? and octet_length(data) > ${LARGE_BYTES}`,
      'select data from records where stream_id = ? and seq = ?',
    ],
    [
      `select key, from_seq as seq from history where stream_id = ? and data like '#%'`,
      'select l.data from streams s join large_past l on l.seq = ?2 where s.stream_id = ?1',
    ],
  ] as const) {
    const readData = raw.prepare(read).pluck();
    for (const { key, seq } of raw.prepare(list).all(stream.streamId) as Version[]) {
      expected.add(seq);
      const parts = [...splitRecord((readData.get(stream.streamId, seq) ?? '{}') as string, fields)];
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
    if (!expected.has(seq)) problems.add('parts of missing large records', key);
}

function sortRows(rows: unknown[]): unknown[] {
  return (rows as [number, string][]).sort(([, a], [, b]) => (a < b ? -1 : 1));
}

function isSame(stored: unknown, expected: unknown): boolean {
  return JSON.stringify(stored) === JSON.stringify(expected);
}
