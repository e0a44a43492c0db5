import { MINUTE_MS } from '../../time/durations.ts';
import { NO_TIME } from '../values.ts';

/**
 * A row id consists of 26 bits of minutes since 1950, 14 bits of stream and a counter of 13 bits: the 53 bits that a
 * JavaScript number holds exactly. The full-text index is scanned in the order of row ids, so the newest matches come
 * first and a search can stop early. Only speed and the limit on search candidates depend on this: the exact order
 * comes from (t, key).
 */
const COUNTERS = 2 ** 13;
const STREAMS = 2 ** 14;
const MINUTES = 2 ** 26;
const MINUTE_SPAN = STREAMS * COUNTERS;
const EPOCH = Date.UTC(1950, 0, 1);
/** All later times get this minute. If it is full, their records get one of the minutes after it. */
const LAST_MINUTE = MINUTES - 2 ** 14;

/** Returns the SQL expression for the stream of a row id. */
export function streamOfRid(column: string): string {
  return `((${column} / ${COUNTERS}) % ${STREAMS})`;
}

/** Returns the stream of a row id. */
export function streamOf(rid: number): number {
  return Math.floor(rid / COUNTERS) % STREAMS;
}

/** Returns the minute of a row id: that of its record, or a later one if that minute was full. */
export function minuteOfRid(rid: number): number {
  return Math.floor(rid / MINUTE_SPAN);
}

/** Returns the counter of a row id within its minute and stream. */
export function counterOf(rid: number): number {
  return rid % COUNTERS;
}

/** Builds a row id. */
export function ridOf(minute: number, streamId: number, counter: number): number {
  return minute * MINUTE_SPAN + streamId * COUNTERS + counter;
}

/** Returns the first row id of a minute. */
export function minuteStart(minute: number): number {
  return minute * MINUTE_SPAN;
}

/** Yields the ranges of row ids that a record may get: those of its minute, then those of the following minutes. */
export function* ridRanges(
  streamId: number,
  t: number,
  key: string,
): Generator<[first: number, last: number]> {
  const minute = minuteOf(t, key);
  for (let step = 0; step < MINUTES; step++) {
    const first = ((minute + step) % MINUTES) * MINUTE_SPAN + streamId * COUNTERS;
    yield [first, first + COUNTERS - 1];
  }
}

/** Returns the minute of a record. */
export function minuteOf(t: number, key: string): number {
  // Without a time, the key decides: it is as visible as the record, unlike the order of insertion.
  if (t === NO_TIME) return hash(key) % MINUTES;
  return Math.min(LAST_MINUTE, Math.max(0, Math.floor((t - EPOCH) / MINUTE_MS)));
}

/** Returns whether an edited record keeps its row id. It does within the same minute, so that edits do not fill it. */
export function canKeepRid<Stored extends { readonly t: number }>(
  stored: Stored | undefined,
  { t, key }: { readonly t: number; readonly key: string },
): stored is Stored {
  return stored !== undefined && minuteOf(stored.t, key) === minuteOf(t, key);
}

/** FNV-1a hash. It distributes records without a time over the minutes. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
