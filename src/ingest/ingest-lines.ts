import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/batches.ts';
import type { WriteStore } from '../store/store.ts';
import { MAX_LINE_BYTES } from './parse-line.ts';
import { getPreparer } from './prepare-record.ts';

/** What became of the lines. `refusals` names the first of the refused ones, by line. */
export interface IngestReport {
  lines: number;
  new: number;
  changed: number;
  same: number;
  deleted: number;
  refused: number;
  refusals: { line: number; reason: string }[];
}

const BATCH_LINES = 500;
/** A batch of very long lines ends early, so that no transaction holds hundreds of megabytes. */
const BATCH_BYTES = 8 * 2 ** 20;
const MAX_REFUSALS = 50;

/**
 * Takes in NDJSON for one stream. Every batch is one transaction, and a line that does not fit never
 * keeps the others out. Between batches the event loop runs, so that a server goes on answering.
 */
export async function ingestLines(
  store: WriteStore,
  stream: CatalogStream,
  timeZone: string,
  lines: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  onProgress: (report: IngestReport) => void = () => {},
): Promise<IngestReport> {
  const prepare = getPreparer(stream, timeZone);
  const report: IngestReport = {
    lines: 0,
    new: 0,
    changed: 0,
    same: 0,
    deleted: 0,
    refused: 0,
    refusals: [],
  };
  let batch: Change[] = [];
  let bytes = 0;

  const flush = async () => {
    if (batch.length > 0)
      for (const outcome of await store.batches.write(stream.streamId, batch)) tally(report, outcome);
    batch = [];
    bytes = 0;
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
    bytes += line.length;
    if (batch.length >= BATCH_LINES || bytes >= BATCH_BYTES) await flush();
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

function tally(report: IngestReport, outcome: Outcome): void {
  // Nothing is held here: changes are stored as they come.
  if (outcome !== 'held') report[outcome] += 1;
}

/**
 * Splits a stream of bytes at newlines, leaving the bytes as they are: what is not UTF-8 is for the ingest
 * to refuse, not for a decoder to repair. A line past the limit is cut just after it and the rest dropped,
 * so that one endless line cannot fill the memory; the ingest then refuses it by its length.
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
