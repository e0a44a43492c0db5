import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { declareSource, declareStream } from '../../src/sources/declare.ts';
import type { WriteStore } from '../../src/store/store.ts';
import { writeRecordId } from '../../src/tools/record-view.ts';

/** A document as it is stored: a record with a title, an author and a text, and a time where it has one. */
export interface Paper {
  readonly stream: string;
  readonly key: string;
  readonly title: string;
  readonly author: string;
  readonly text: string;
  readonly at?: string | undefined;
}

const CONNECTION = 'judged';
const EMITTED = '2026-11-01T00:00:00Z';

export function idOfPaper({ stream, key }: Pick<Paper, 'stream' | 'key'>): string {
  return writeRecordId(CONNECTION, stream, key);
}

/** Stores documents as records of declared streams, through the ingest that everything else comes in by. */
export async function storePapers(store: WriteStore, papers: readonly Paper[], now: Date): Promise<void> {
  const names = [...new Set(papers.map(({ stream }) => stream))];
  const timed = papers.some(({ at }) => at !== undefined);
  const declaration = declareSource(
    CONNECTION,
    'Judged documents',
    names.map((name) => declarePapers(name, timed)),
  );
  await setTimeZone(store, 'UTC');
  await installSource(store, checkDeclaration(declaration), now);
  await addConnection(
    store,
    { connection_id: CONNECTION, connector_key: CONNECTION, display_name: 'Judged documents' },
    now,
  );
  const catalog = await loadCatalog(store);
  for (const name of names) {
    const some = papers.filter((paper) => paper.stream === name);
    const stream = findStream(catalog, CONNECTION, name);
    if (stream === undefined) throw new Error('a stream of documents was not placed');
    const report = await ingestLines(store, stream, catalog.timeZone, some.map(writeLine));
    if (report.new !== some.length) throw new Error(`not all stored: ${JSON.stringify(report)}`);
  }
}

function declarePapers(name: string, timed: boolean) {
  return declareStream(name, name, {
    description: 'Judged documents.',
    semantics: 'append_only',
    ...(timed && { time: 'at' }),
    fields: {
      id: 'text',
      title: 'text, search',
      author: 'text, search',
      text: 'text, search',
      ...(timed && { at: 'time' as const }),
    },
  });
}

function writeLine({ key, title, author, text, at }: Paper): string {
  const data = { id: key, title, author, text, ...(at === undefined ? {} : { at }) };
  return JSON.stringify({ key, data, emitted_at: EMITTED });
}
