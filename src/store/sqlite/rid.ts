import { MINUTE_MS } from '../../time/durations.ts';
import { NO_TIME } from '../values.ts';

/**
 * A record's row id carries, roughly, its time and then its stream: 26 bits of minutes since 1950, 14 bits of
 * stream and a counter of 13 bits, together the 53 bits that a JavaScript number holds exactly. The
 * full-text index walks row ids in order, so the newest matches come first and a search stops when it has
 * enough. Nothing but speed and the bound on search candidates rests on this: exact order comes from (t, key).
 */
const COUNTERS = 2 ** 13;
const STREAMS = 2 ** 14;
const MINUTES = 2 ** 26;
const MINUTE_SPAN = STREAMS * COUNTERS;
const EPOCH = Date.UTC(1950, 0, 1);
/** Later times share this minute. The ones after it are left free, so that a full minute never wraps around. */
const LAST_MINUTE = MINUTES - 2 ** 14;

/** SQL for the stream in a row id. */
export function streamOfRid(column: string): string {
  return `((${column} / ${COUNTERS}) % ${STREAMS})`;
}

/** The stream that a row id belongs to. */
export function streamOf(rid: number): number {
  return Math.floor(rid / COUNTERS) % STREAMS;
}

/** The minute that a row id lies in. It is the record's own, or a later one where that was full. */
export function minuteOfRid(rid: number): number {
  return Math.floor(rid / MINUTE_SPAN);
}

/** The first row id of a minute. */
export function minuteStart(minute: number): number {
  return minute * MINUTE_SPAN;
}

/** Row ids a record of this stream and time may get: those of its minute, then those of the minutes after it. */
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

/** The minute that a record belongs to. */
export function minuteOf(t: number, key: string): number {
  // Without a time, the key decides: it is visible to whoever sees the record, insertion order is not.
  if (t === NO_TIME) return hash(key) % MINUTES;
  return Math.min(LAST_MINUTE, Math.max(0, Math.floor((t - EPOCH) / MINUTE_MS)));
}

/** FNV-1a; spreads timeless records over the minutes. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
