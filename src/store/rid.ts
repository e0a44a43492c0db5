import { NO_TIME } from './tables.ts';

/**
 * A record's row id carries its stream and, roughly, its time: 14 bits of stream, 26 bits of minutes since
 * 1950 and a counter of 13 bits, together the 53 bits that a JavaScript number holds exactly. The full-text
 * index walks row ids in order, so "the newest matches of these streams" costs only what it returns.
 * Nothing but speed and the bound on search candidates rests on this: exact order comes from (t, key).
 */
const COUNTERS = 2 ** 13;
const MINUTES = 2 ** 26;
const STREAM_SPAN = MINUTES * COUNTERS;
const EPOCH = Date.UTC(1950, 0, 1);

export const MAX_STREAM_ID = 2 ** 14 - 1;

/** First row id that a record of this stream and time may get; later ones follow it. */
export function firstRid(streamId: number, t: number, key: string): number {
  return streamId * STREAM_SPAN + minuteOf(t, key) * COUNTERS;
}

/** All row ids of a stream lie in this range, both ends included. */
export function ridRange(streamId: number): [low: number, high: number] {
  return [streamId * STREAM_SPAN, (streamId + 1) * STREAM_SPAN - 1];
}

/** The part of a row id that is the same for all records of one stream and minute. */
export function ridMinute(rid: number): number {
  return Math.floor(rid / COUNTERS);
}

function minuteOf(t: number, key: string): number {
  // Without a time, the key decides: it is visible to whoever sees the record, insertion order is not.
  if (t === NO_TIME) return hash(key) % MINUTES;
  return Math.min(MINUTES - 1, Math.max(0, Math.floor((t - EPOCH) / 60_000)));
}

/** FNV-1a; spreads timeless records over the minutes. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
