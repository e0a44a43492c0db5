import { ingestLines } from '../ingest/ingest-lines.ts';
import { installSource } from '../ingest/install-source.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import { addConnection, addSelf } from '../schema-index/edit-catalog.ts';
import type { WriteStore } from '../store/open-store.ts';
import { otherSystems } from './other-systems.ts';
import { personalShares, personalSources } from './personal.ts';
import type { DemoBatch, DemoOptions, DemoSource } from './types.ts';

/** Fills a store with the demo: a year of a person's life and four team tools. The same options, the same store. */
export async function fillDemo(
  store: WriteStore,
  options: DemoOptions,
  now: Date,
  onProgress: (stored: number) => void = () => {},
): Promise<{ connections: number; records: number }> {
  let added = options.until.getTime();
  for (const { declaration, connections } of [...personalSources, ...otherSystems]) {
    await installSource(store, checkDeclaration(declaration), now);
    // Listed in the order of their making: the person's own first, the tools of the team last. They are as old as
    // the demo's end, by which a second run finds it again.
    for (const connection of connections) {
      await addConnection(store, connection, new Date(added++));
      await addSelf(store, connection.connection_id, connection.self ?? []);
    }
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
export function* generateDemo(options: DemoOptions): Generator<DemoBatch> {
  const teamBatches = [...fromAll(otherSystems, () => Math.round(options.records / 50), options)];
  const left = options.records - teamBatches.reduce((sum, { lines }) => sum + lines.length, 0);
  const shares = Object.values(personalShares).reduce((sum, share) => sum + share, 0);
  const count = (source: DemoSource) =>
    Math.round((Math.max(0, left) * (personalShares[source.declaration.connector_key ?? ''] ?? 0)) / shares);
  yield* fromAll(personalSources, count, options);
  yield* teamBatches;
}

function* fromAll(
  sources: readonly DemoSource[],
  count: (source: DemoSource) => number,
  options: DemoOptions,
): Generator<DemoBatch> {
  for (const source of sources) yield* source.generate({ ...options, records: count(source) });
}
