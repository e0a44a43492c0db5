import { hostileTexts } from './texts/hostile.ts';
import type { GeneratedBatch, GeneratedLine } from './types.ts';

const largest = 1_000;

/** Cuts the lines of one stream into batches. */
export function* createBatches(
  connection_id: string,
  stream: string,
  source: Iterable<GeneratedLine>,
): Generator<GeneratedBatch> {
  let lines: GeneratedLine[] = [];
  for (const line of source) {
    lines.push(line);
    if (lines.length === largest) {
      yield { connection_id, stream, lines };
      lines = [];
    }
  }
  if (lines.length > 0) yield { connection_id, stream, lines };
}

/** A hostile text for a few of `count` places, each text once; undefined for all others. */
export function findHostileText(index: number, count: number): string | undefined {
  const stride = Math.floor(count / hostileTexts.length);
  if (stride < 4 || index % stride !== stride >> 1) return undefined;
  return hostileTexts[Math.floor(index / stride)];
}
