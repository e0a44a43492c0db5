import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestLines } from '../src/ingest/ingest-lines.ts';
import { installSource } from '../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../src/schema-index/catalog.ts';
import { checkDeclaration } from '../src/schema-index/check-declaration.ts';
import { addConnection, setTimeZone } from '../src/schema-index/edit-catalog.ts';
import { DEMO_END } from './demo-end.ts';
import { exampleSources } from './generator/example-sources.ts';
import { generateRecords } from './generator/fill-generated.ts';
import { personalSources } from './generator/personal.ts';
import type { GeneratedBatch, GeneratedLine } from './generator/types.ts';
import { openEngine } from './open-engine.ts';
import { TIME_ZONE } from './options.ts';

/**
 * Run as a child process: `fill.ts FOLDER RECORDS SEED KIND`. Ingests the demo and prints the CPU time of the ingest as
 * one line of JSON, without the time to generate records. An interrupted fill goes on where it ended.
 *
 * KIND is `demo`; `apart` (separate connections, after everything stored); or `between` (new records among those of the
 * demo's streams). With BENCH_DATABASE_URL the records go there, and the folder holds the progress.
 */
export type FillKind = 'demo' | 'apart' | 'between';

export interface FillReport {
  readonly records: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** CPU seconds per chunk of records, in order. */
  readonly chunks: { readonly records: number; readonly cpuSeconds: number }[];
}

const CHUNK = 10_000;
/** Batches between two notes of the progress. After an interruption at most this many are ingested again. */
const NOTE_BATCHES = 20;

/** How far a fill has come, written beside the store. */
interface Progress {
  readonly batches: number;
  readonly wallSeconds: number;
  readonly chunks: { records: number; cpuSeconds: number }[];
}

async function fill(directory: string, records: number, seed: number, kind: FillKind): Promise<FillReport> {
  const started = performance.now();
  const note = join(directory, 'progress.json');
  const resumed =
    kind === 'demo' && existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Progress) : undefined;
  const { store, close } = await openEngine(directory, process.env.BENCH_DATABASE_URL);
  await setTimeZone(store.write, TIME_ZONE);
  const now = new Date();
  for (const { declaration, connections } of [...personalSources, ...exampleSources]) {
    await installSource(store.write, checkDeclaration(declaration), now);
    for (const connection of connections) {
      const connection_id = nameConnection(connection.connection_id, kind);
      await addConnection(store.write, { ...connection, connection_id }, now);
    }
  }
  const catalog = await loadCatalog(store.write);
  const chunks = resumed?.chunks ?? [{ records: 0, cpuSeconds: 0 }];
  const seconds = () => (resumed?.wallSeconds ?? 0) + (performance.now() - started) / 1_000;
  let batches = 0;
  for (const batch of generateRecords({ records, seed, until: DEMO_END })) {
    batches += 1;
    if (batches <= (resumed?.batches ?? 0)) continue;
    const stream = findStream(catalog, nameConnection(batch.connection_id, kind), batch.stream);
    if (stream === undefined) throw new Error('the demo wrote to a stream it does not declare');
    const lines = writeLines(batch, kind, stream.declaration.primary_key);
    const before = process.cpuUsage();
    const report = await ingestLines(store.write, stream, catalog.timeZone, lines);
    const { user, system } = process.cpuUsage(before);
    const isRepeated = resumed !== undefined && batches <= resumed.batches + NOTE_BATCHES;
    if (report.new + (isRepeated ? report.same : 0) !== lines.length)
      throw new Error(`not all new: ${JSON.stringify(report)}`);
    if ((chunks.at(-1)?.records ?? 0) >= CHUNK) chunks.push({ records: 0, cpuSeconds: 0 });
    const chunk = chunks.at(-1) as (typeof chunks)[0];
    chunk.records += lines.length;
    chunk.cpuSeconds += (user + system) / 1e6;
    if (kind === 'demo' && batches % NOTE_BATCHES === 0)
      writeFileSync(note, JSON.stringify({ batches, wallSeconds: seconds(), chunks } satisfies Progress));
  }
  await close();
  rmSync(note, { force: true });
  return {
    records: chunks.reduce((sum, chunk) => sum + chunk.records, 0),
    cpuSeconds: chunks.reduce((sum, chunk) => sum + chunk.cpuSeconds, 0),
    wallSeconds: seconds(),
    chunks,
  };
}

function nameConnection(connectionId: string, kind: FillKind): string {
  return kind === 'apart' ? `${connectionId}_bench` : connectionId;
}

/** Renames keys: another seed may draw an existing key, and this measures inserts, not updates. */
function writeLines(batch: GeneratedBatch, kind: FillKind, primaryKey: readonly string[]): string[] {
  const rename = ({ key, data, emitted_at }: GeneratedLine): GeneratedLine => {
    const [name] = primaryKey as [string];
    const renamed: Record<string, unknown> = { ...data, [name]: `bench-${data[name]}` };
    const parts = primaryKey.map((part) => String(renamed[part]));
    return { key: parts.length === 1 ? `bench-${key}` : JSON.stringify(parts), data: renamed, emitted_at };
  };
  return batch.lines.map((line) => JSON.stringify(kind === 'between' ? rename(line) : line));
}

const [directory, records, seed, kind] = process.argv.slice(2);
console.log(JSON.stringify(await fill(directory as string, Number(records), Number(seed), kind as FillKind)));
