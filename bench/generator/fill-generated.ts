import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, addSelf } from '../../src/schema-index/edit-catalog.ts';
import type { WriteStore } from '../../src/store/store.ts';
import { exampleSources } from './example-sources.ts';
import { personalShares, personalSources } from './personal.ts';
import type { GeneratedBatch, GeneratedSource, GeneratorOptions } from './types.ts';

/**
 * Fills a store with generated records for benchmarks and tests: a person's life, the example systems and hostile texts.
 * The same options give the same store.
 */
export async function fillGenerated(
  store: WriteStore,
  options: GeneratorOptions,
  now: Date,
  onProgress: (stored: number) => void = () => {},
): Promise<{ connections: number; records: number }> {
  let added = options.until.getTime();
  for (const { declaration, connections } of [...personalSources, ...exampleSources]) {
    await installSource(store, checkDeclaration(declaration), now);
    // Listed in the order of their making: the person's own first, the example systems last.
    for (const connection of connections) {
      await addConnection(store, connection, new Date(added++));
      await addSelf(store, connection.connection_id, connection.self ?? []);
    }
  }
  const catalog = await loadCatalog(store);
  let stored = 0;
  for (const batch of generateRecords(options)) {
    const stream = findStream(catalog, batch.connection_id, batch.stream);
    if (stream === undefined) throw new Error('the generator wrote to a stream it does not declare');
    const report = await ingestLines(
      store,
      stream,
      catalog.plainZone,
      batch.lines.map((line) => JSON.stringify(line)),
    );
    if (report.refused > 0) throw new Error(`a generated record was refused: ${report.refusals[0]?.reason}`);
    stored += batch.lines.length;
    onProgress(stored);
  }
  return { connections: catalog.connections.length, records: stored };
}

/** Every generated batch. The example systems are small; the person's life fills the rest. */
export function* generateRecords(options: GeneratorOptions): Generator<GeneratedBatch> {
  const examples = [...fromAll(exampleSources, () => 0, options)];
  const left = options.records - examples.reduce((sum, { lines }) => sum + lines.length, 0);
  const shares = Object.values(personalShares).reduce((sum, share) => sum + share, 0);
  const count = (source: GeneratedSource) =>
    Math.round((Math.max(0, left) * (personalShares[source.declaration.connector_key ?? ''] ?? 0)) / shares);
  yield* fromAll(personalSources, count, options);
  yield* examples;
}

function* fromAll(
  sources: readonly GeneratedSource[],
  count: (source: GeneratedSource) => number,
  options: GeneratorOptions,
): Generator<GeneratedBatch> {
  for (const source of sources) yield* source.generate({ ...options, records: count(source) });
}
