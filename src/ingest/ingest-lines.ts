import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change } from '../store/batches.ts';
import type { WriteStore } from '../store/store.ts';
import { MAX_LINE_BYTES } from './parse-line.ts';
import { getPreparer } from './prepare-record.ts';

/** The result of an ingest. `refusals` lists the first refused lines. */
export interface IngestReport {
  lines: number;
  new: number;
  changed: number;
  same: number;
  deleted: number;
  refused: number;
  refusals: { line: number; reason: string }[];
}

const MAX_BATCH_LINES = 500;
/** Limits the memory of one transaction when lines are long. */
const MAX_BATCH_CHARACTERS = 8 * 2 ** 20;
const MAX_REFUSALS = 50;

export interface IngestHooks {
  /** Called before each batch is stored. If it throws, the ingest ends. */
  readonly beforeBatch?: (report: IngestReport) => Promise<void>;
  readonly onProgress?: (report: IngestReport) => void;
}

/**
 * Stores NDJSON lines in one stream. Every batch is one transaction, and a refused line does not affect the others.
 * Between batches the server can answer requests.
 */
export async function ingestLines(
  store: WriteStore,
  stream: CatalogStream,
  timeZone: string,
  lines: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  { beforeBatch = async () => {}, onProgress = () => {} }: IngestHooks = {},
): Promise<IngestReport> {
  const prepare = getPreparer(stream, timeZone);
  const counts = { lines: 0, new: 0, changed: 0, same: 0, deleted: 0, refused: 0 };
  const report: IngestReport = { ...counts, refusals: [] };
  let batch: Change[] = [];
  let characters = 0;

  const flush = async () => {
    if (batch.length > 0) {
      await beforeBatch(report);
      // Only imports hold changes back.
      for (const outcome of await store.batches.write(stream.streamId, batch))
        if (outcome !== 'held') report[outcome] += 1;
    }
    batch = [];
    characters = 0;
    onProgress(report);
    await yieldToEventLoop();
  };
  const refuse = (reason: string) => {
    report.refused += 1;
    if (report.refusals.length < MAX_REFUSALS) report.refusals.push({ line: report.lines, reason });
  };

  for await (const raw of lines) {
    report.lines += 1;
    if (raw.length > MAX_LINE_BYTES) {
      refuse('is longer than 16 MB');
      continue;
    }
    const line = decode(raw);
    if (line === undefined) {
      refuse('is not UTF-8');
      continue;
    }
    if (line.trim() === '') continue;
    const prepared = prepare(line);
    if (prepared.kind === 'refused') {
      refuse(prepared.reason);
      continue;
    }
    batch.push(prepared.change);
    characters += line.length;
    if (batch.length >= MAX_BATCH_LINES || characters >= MAX_BATCH_CHARACTERS) await flush();
  }
  await flush();
  return report;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(line: string | Uint8Array): string | undefined {
  if (typeof line === 'string') return line;
  try {
    return utf8.decode(line);
  } catch {
    return undefined;
  }
}

/**
 * Splits bytes at newlines without decoding them, so that invalid UTF-8 is refused and not repaired. A line is cut just
 * beyond the maximum length, which limits memory and lets the ingest refuse it.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    if (length > MAX_LINE_BYTES) return;
    parts.push(part.subarray(0, MAX_LINE_BYTES + 1 - length));
    length += part.length;
  };
  const take = () => {
    const line = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
