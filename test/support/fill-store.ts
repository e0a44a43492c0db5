import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, addSource, setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import type { Store } from '../../src/store/open-store.ts';
import { note, notesSource } from './notes-source.ts';

const NOW = new Date('2026-11-16T12:00:00Z');

/** The notes stream of a store that need not have had one yet. */
export async function setUpNotes(store: Store) {
  setTimeZone(store.write, 'UTC');
  const declaration = checkDeclaration(notesSource);
  addSource(store.write, declaration, NOW);
  addConnection(
    store.write,
    { connection_id: 'mine', connector_key: 'notes', display_name: 'My notes' },
    NOW,
  );
  const catalog = await loadCatalog(store.write);
  const stream = findStream(catalog, 'mine', 'notes');
  if (stream === undefined) throw new Error('the notes stream was not placed');
  return stream;
}

/** Lines of one numbered batch; the same number gives the same lines. */
export function batchLines(batch: number, size = 50): string[] {
  return Array.from({ length: size }, (_, i) =>
    JSON.stringify(
      note(`b${batch}-${i}`, {
        title: `title ${batch} ${i}`,
        body: `some words about number ${i} of batch ${batch}`,
        created_at: new Date(Date.UTC(2026, 0, 1 + (batch % 300), i % 24)).toISOString(),
        stars: i,
      }),
    ),
  );
}

export async function ingestBatch(store: Store, batch: number, size?: number) {
  return ingestLines(store.write, await setUpNotes(store), 'UTC', batchLines(batch, size));
}

/** How many records each of the tables that move together holds. */
export function countTables(store: Store) {
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
       where r.stream_id = d.stream_id and cast(floor(r.t / 86400000.0) as integer) = d.day)`,
    ),
  };
}
