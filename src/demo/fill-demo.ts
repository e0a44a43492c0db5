import { ingestLines } from '../ingest/ingest-lines.ts';
import { installSource } from '../ingest/install-source.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import { addConnection } from '../schema-index/edit-catalog.ts';
import type { WriteStore } from '../store/open-store.ts';
import { otherSystems } from './other-systems.ts';
import { personalShares, personalSources } from './personal.ts';
import type { DemoBatch, DemoSource } from './types.ts';

export interface DemoOptions {
  records: number;
  seed: number;
}

/** Fills a store with the demo: a year of a person's life and four team tools. The same options, the same store. */
export async function fillDemo(
  store: WriteStore,
  options: DemoOptions,
  now: Date,
  onProgress: (stored: number) => void = () => {},
): Promise<{ connections: number; records: number }> {
  for (const { declaration, connections } of [...personalSources, ...otherSystems]) {
    await installSource(store, checkDeclaration(declaration), now);
    for (const connection of connections) await addConnection(store, connection, now);
  }
  const catalog = await loadCatalog(store);
  let stored = 0;
  for (const batch of generateDemo(options)) {
    const stream = findStream(catalog, batch.connection_id, batch.stream);
    if (stream === undefined) throw new Error('the demo wrote to a stream it does not declare');
    const report = await ingestLines(
      store,
      stream,
      catalog.plainZone,
      batch.lines.map((line) => JSON.stringify(line)),
    );
    if (report.refused > 0) throw new Error(`a demo record was refused: ${report.refusals[0]?.reason}`);
    stored += batch.lines.length;
    onProgress(stored);
  }
  return { connections: catalog.connections.length, records: stored };
}

/** Every batch of the demo. The team tools are small; the person's life fills the rest. */
export function* generateDemo({ records, seed }: DemoOptions): Generator<DemoBatch> {
  let left = records;
  for (const batch of fromAll(otherSystems, () => Math.round(records / 50), seed)) {
    left -= batch.lines.length;
    yield batch;
  }
  const shares = Object.values(personalShares).reduce((sum, share) => sum + share, 0);
  const count = (source: DemoSource) =>
    Math.round((Math.max(0, left) * (personalShares[source.declaration.connector_key ?? ''] ?? 0)) / shares);
  yield* fromAll(personalSources, count, seed);
}

function* fromAll(
  sources: readonly DemoSource[],
  count: (source: DemoSource) => number,
  seed: number,
): Generator<DemoBatch> {
  for (const source of sources) yield* source.generate({ records: count(source), seed });
}
