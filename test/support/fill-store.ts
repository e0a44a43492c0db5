import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { NO_TIME } from '../../src/store/values.ts';
import { diarySource, entry } from './diary-source.ts';

const NOW = new Date('2026-11-16T12:00:00Z');

/** The entries stream of a store that need not have had one yet. */
export async function setUpDiary(store: Pick<Store, 'write'>) {
  await setTimeZone(store.write, 'UTC');
  const declaration = checkDeclaration(diarySource);
  await installSource(store.write, declaration, NOW);
  await addConnection(
    store.write,
    { connection_id: 'mine', connector_key: 'diary', display_name: 'My diary' },
    NOW,
  );
  const catalog = await loadCatalog(store.write);
  const stream = findStream(catalog, 'mine', 'entries');
  if (stream === undefined) throw new Error('the stream was not placed');
  return stream;
}

/** Lines of one numbered batch; the same number gives the same lines. */
export function batchLines(batch: number, size = 50): string[] {
  return Array.from({ length: size }, (_, i) =>
    JSON.stringify(
      entry(`b${batch}-${i}`, {
        title: `title ${batch} ${i}`,
        body: `some words about number ${i} of batch ${batch}`,
        created_at: new Date(Date.UTC(2026, 0, 1 + (batch % 300), i % 24)).toISOString(),
        stars: i,
      }),
    ),
  );
}

export async function ingestBatch(store: SqliteStore, batch: number, size?: number) {
  return ingestLines(store.write, await setUpDiary(store), 'UTC', batchLines(batch, size));
}

/** How many records each of the tables that move together holds. */
export function countTables(store: SqliteStore) {
  const count = (query: string) => store.write.raw.prepare(query).pluck().get() as number;
  return {
    records: count('select count(*) from records'),
    facets: count('select count(*) from facets f join records r using (rid, stream_id, t, key)'),
    days: count('select coalesce(sum(n), 0) from days'),
    texts: count('select count(*) from texts_docsize d join records r on r.rid = d.id'),
    strayTexts: count('select count(*) from texts_docsize where id not in (select rid from records)'),
    strayFacets: count('select count(*) from facets where rid not in (select rid from records)'),
    wrongDays: count(
      `select count(*) from days d where n <> (select count(*) from records r
       where r.stream_id = d.stream_id and d.day =
       case r.t when ${NO_TIME} then r.t else cast(floor(r.t / 86400000.0) as integer) end)`,
    ),
  };
}
