import type Database from 'better-sqlite3';
import { createIndexer, keyOf } from '../../../ingest/prepare-record.ts';
import type { CatalogStream } from '../../../schema-index/catalog.ts';
import { DAY_MS } from '../../../time/durations.ts';
import { dayOf } from '../../records/apply-changes.ts';
import { createRowLayout } from '../../records/slots.ts';
import type { Value } from '../../values.ts';
import { NO_TIME } from '../../values.ts';
import type { Problems } from '../check/finding.ts';
import { slotColumns } from '../tables.ts';
import type { SampleTexts } from './check-texts.ts';

export interface RecordProblems {
  readonly facets: Problems;
  readonly days: Problems;
  readonly texts: Problems;
}

type Row = [
  rid: bigint,
  key: string,
  t: bigint,
  data: string,
  facetsRid: bigint | null,
  hasText: bigint | null,
  ...slots: (string | bigint | number | null)[],
];

/** Compares every record of a stream with its rows in the other tables, by the code that wrote them. */
export function checkStreamRecords(
  raw: Database.Database,
  stream: CatalogStream,
  timeZone: string,
  problems: RecordProblems,
  sampleTexts: SampleTexts,
  onRecord: () => void,
): void {
  const index = createIndexer(stream, timeZone);
  const layOut = createRowLayout(stream.plan);
  const days = new Map<number, number>();
  const rows = raw
    .prepare(
      `select r.rid, r.key, r.t, r.data, f.rid, d.id, ${slotColumns.map((slot) => `f.${slot}`).join(', ')}
       from records r
       left join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key
       left join texts_docsize d on d.id = r.rid
       where r.stream_id = ?`,
    )
    .raw()
    .safeIntegers();
  for (const [rid, key, t, data, facetsRid, hasText, ...slots] of rows.iterate(
    stream.streamId,
  ) as Iterable<Row>) {
    onRecord();
    const name = `${nameStream(stream)}/${key}`;
    const day = dayOf(Number(t));
    days.set(day, (days.get(day) ?? 0) + 1);
    const parsed = parse(data);
    if (parsed === undefined) {
      problems.facets.add('records whose data cannot be read', name);
      continue;
    }
    if (keyOf(parsed, stream.declaration.primary_key) !== key)
      problems.facets.add('records whose key disagrees with their data', name);
    const indexed = index(parsed);
    const expected = layOut(indexed);
    if (indexed.t !== Number(t)) problems.facets.add('records that are stored under another time', name);
    if (facetsRid === null) problems.facets.add('records that no filter finds', name);
    else if (facetsRid !== rid || !slots.every((slot, i) => isSame(slot, expected.slots[i] ?? null)))
      problems.facets.add('records whose filtered values disagree with their data', name);
    if (expected.hasTexts !== (hasText !== null))
      problems.texts.add(
        hasText === null ? 'records that no search finds' : 'records that are indexed but have no text',
        name,
      );
    else if (hasText !== null) sampleTexts(Number(rid), expected.texts, name);
  }
  checkDays(raw, stream, days, problems.days);
}

function checkDays(
  raw: Database.Database,
  stream: CatalogStream,
  counted: ReadonlyMap<number, number>,
  problems: Problems,
): void {
  const stored = raw.prepare('select day, n from days where stream_id = ?').raw();
  const left = new Map(counted);
  for (const [day, n] of stored.all(stream.streamId) as [number, number][]) {
    if (n !== (left.get(day) ?? 0)) problems.add('days with a wrong count', nameDay(stream, day));
    left.delete(day);
  }
  for (const day of left.keys()) problems.add('days without a count', nameDay(stream, day));
}

/** Finds rows of other tables that belong to no record. */
export function checkStrays(raw: Database.Database, problems: RecordProblems): void {
  const strays = raw.prepare(
    'select f.key from facets f left join records r on r.rid = f.rid where r.rid is null or r.key <> f.key',
  );
  for (const key of strays.pluck().iterate() as Iterable<string>)
    problems.facets.add('filtered values of missing records', key);
  const texts = raw.prepare(
    'select d.id from texts_docsize d left join records r on r.rid = d.id where r.rid is null',
  );
  for (const id of texts.pluck().iterate() as Iterable<number>)
    problems.texts.add('searched texts of missing records', `row ${id}`);
}

function nameStream({ connection, name }: CatalogStream): string {
  return `${connection.connection_id}/${name}`;
}

function nameDay(stream: CatalogStream, day: number): string {
  const time = new Date(day * DAY_MS);
  const name = day === NO_TIME || Number.isNaN(time.getTime()) ? 'no day' : time.toISOString().slice(0, 10);
  return `${nameStream(stream)} ${name}`;
}

function parse(data: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Compares a stored integer with a number by value. */
function isSame(stored: string | bigint | number | null, expected: Value): boolean {
  return typeof stored === 'bigint' && typeof expected === 'number'
    ? Number(stored) === expected
    : stored === expected;
}
