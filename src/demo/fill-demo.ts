import { ingestLines } from '../ingest/ingest-lines.ts';
import { installSource } from '../ingest/install-source.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addConnection, addSelf } from '../schema-index/edit-catalog.ts';
import { appleHealthDeclaration } from '../sources/apple-health/apple-health-declaration.ts';
import { bankDeclaration } from '../sources/bank/bank-declaration.ts';
import { chatgptDeclaration } from '../sources/chatgpt/chatgpt-declaration.ts';
import { gmailDeclaration } from '../sources/gmail/gmail-declaration.ts';
import { googleCalendarDeclaration } from '../sources/google-calendar/google-calendar-declaration.ts';
import { googleKeepDeclaration } from '../sources/google-keep/google-keep-declaration.ts';
import { spotifyDeclaration } from '../sources/spotify/spotify-declaration.ts';
import { whatsappDeclaration } from '../sources/whatsapp/whatsapp-declaration.ts';
import type { WriteStore } from '../store/store.ts';
import { DEMO_CONNECTIONS } from './demo-connections.ts';
import { type DemoRecord, readDemo } from './read-demo.ts';

export const demoDeclarations: readonly SourceDeclaration[] = [
  gmailDeclaration,
  googleCalendarDeclaration,
  whatsappDeclaration,
  bankDeclaration,
  spotifyDeclaration,
  appleHealthDeclaration,
  chatgptDeclaration,
  googleKeepDeclaration,
];

const MAX_BATCH_LINES = 500;

/** Fills a store with the demo: a year in the life of a fictional person. The same end gives the same records. */
export async function fillDemo(
  store: WriteStore,
  until: Date,
  now: Date,
  onProgress: (stored: number) => void = () => {},
): Promise<{ connections: number; records: number }> {
  for (const declaration of demoDeclarations) await installSource(store, checkDeclaration(declaration), now);
  for (const [index, connection] of DEMO_CONNECTIONS.entries()) {
    // findDemoEnd reads the end from the creation times, and pages sort by them.
    await addConnection(store, connection, new Date(until.getTime() + index));
    await addSelf(store, connection.connection_id, connection.self ?? []);
  }
  const catalog = await loadCatalog(store);
  const records = readDemo(until, catalog.timeZone);
  let stored = 0;
  for (const [first, ...rest] of groupBatches(records)) {
    const stream = findStream(catalog, first.connection_id, first.stream);
    if (stream === undefined) throw new Error(`the demo declares no stream ${first.stream}`);
    const lines = [first, ...rest].map(({ data }) => {
      const key = stream.declaration.primary_key.map((field) => String(data[field]));
      if (key.length !== 1) throw new Error(`the demo has no composite keys: ${stream.name}`);
      return JSON.stringify({ key: key[0], data, emitted_at: until.toISOString() });
    });
    const report = await ingestLines(store, stream, catalog.plainZone, lines);
    if (report.refused > 0) throw new Error(`a demo record was refused: ${report.refusals[0]?.reason}`);
    stored += lines.length;
    onProgress(stored);
  }
  return { connections: DEMO_CONNECTIONS.length, records: stored };
}

/** Yields batches of one stream each, in the order of the connections. */
function* groupBatches(records: readonly DemoRecord[]): Generator<[DemoRecord, ...DemoRecord[]]> {
  for (const { connection_id } of DEMO_CONNECTIONS) {
    const own = records.filter((record) => record.connection_id === connection_id);
    for (const stream of new Set(own.map((record) => record.stream))) {
      const all = own.filter((record) => record.stream === stream);
      for (let start = 0; start < all.length; start += MAX_BATCH_LINES)
        yield all.slice(start, start + MAX_BATCH_LINES) as [DemoRecord, ...DemoRecord[]];
    }
  }
}
