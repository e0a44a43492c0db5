import type { ImportOptions } from '../../import/importer.ts';
import { formatTime, readEpoch, readTime } from '../../import/read/read-time.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { isObject, numberOf, objectOf, objectsOf, trimmedText } from '../values/json.ts';
import { readPosition } from './position.ts';

type Json = Record<string, unknown>;
export interface LocationRecord {
  readonly stream: 'visits' | 'trips' | 'points' | 'places';
  readonly data: Record<string, unknown>;
}

export const words = (value: unknown) => trimmedText(value)?.toLowerCase().replaceAll('_', ' ');

/** Reads a segment of the Timeline since 2024, of Android (`semanticSegments`) or iOS. */
export function readSegment(segment: Json, options: ImportOptions): LocationRecord[] {
  const at = (value: unknown) => readTime(trimmedText(value) ?? '', options);
  const stay = { starts_at: at(segment.startTime), ends_at: at(segment.endTime) };
  if (isObject(segment.visit)) {
    const place = objectOf(segment.visit.topCandidate);
    const type = words(place.semanticType);
    const data = {
      name: type === 'unknown' || type === 'type unknown' ? undefined : type,
      ...stay,
      semantic_type: type,
      place_id: trimmedText(place.placeId ?? place.placeID),
      ...readPosition(place.placeLocation),
      probability: numberOf(segment.visit.probability),
    };
    return [{ stream: 'visits', data }];
  }
  if (isObject(segment.activity)) {
    const { start, end, distanceMeters, topCandidate, probability } = segment.activity;
    const data = {
      activity: words(objectOf(topCandidate).type),
      ...stay,
      distance_meters: numberOf(distanceMeters),
      ...writeEnds(start, end),
      probability: numberOf(probability),
    };
    return [{ stream: 'trips', data }];
  }
  const from = Date.parse(stay.starts_at ?? '');
  return objectsOf(segment.timelinePath).flatMap((point): LocationRecord[] => {
    const minutes = numberOf(point.durationMinutesOffsetFromStartTime);
    const time =
      at(point.time) ?? (minutes === undefined ? undefined : formatTime(from + minutes * MINUTE_MS));
    const position = readPosition(point);
    return position === undefined ? [] : [{ stream: 'points', data: { recorded_at: time, ...position } }];
  });
}

/** Reads a raw signal with a position. Network scans and activity guesses are skipped. */
export function readSignal(signal: Json, options: ImportOptions): LocationRecord[] {
  if (!isObject(signal.position)) return [];
  const { position } = signal;
  const found = readPosition(position);
  if (found === undefined) return [];
  const data = {
    recorded_at: readTime(trimmedText(position.timestamp) ?? '', options),
    ...found,
    accuracy_meters: numberOf(position.accuracyMeters),
    altitude_meters: numberOf(position.altitudeMeters),
    speed_meters_per_second: numberOf(position.speedMetersPerSecond),
    source: trimmedText(position.source),
  };
  return [{ stream: 'points', data }];
}

export function readFrequentPlace(place: Json): LocationRecord[] {
  const id = trimmedText(place.placeId ?? place.placeID);
  const position = readPosition(place.placeLocation);
  if (position === undefined) return [];
  return [{ stream: 'places', data: { id, name: words(place.label), ...position } }];
}

/** Reads a position of `Records.json`, called `Location History.json` before 2022. */
export function readLocation(location: Json, options: ImportOptions): LocationRecord[] {
  const position = readPosition(location);
  if (position === undefined) return [];
  const guesses = objectsOf(objectsOf(location.activity)[0]?.activity);
  const best = guesses.sort(
    (one, other) => (numberOf(other.confidence) ?? 0) - (numberOf(one.confidence) ?? 0),
  )[0];
  const data = {
    recorded_at:
      readTime(trimmedText(location.timestamp) ?? '', options) ?? readEpoch(location.timestampMs, 'ms'),
    ...position,
    accuracy_meters: numberOf(location.accuracy),
    altitude_meters: numberOf(location.altitude),
    speed_meters_per_second: numberOf(location.velocity),
    activity: words(best?.type),
    source: trimmedText(location.source),
    device: numberOf(location.deviceTag),
  };
  return [{ stream: 'points', data }];
}

export function writeEnds(start: unknown, end: unknown): Json {
  const [from, to] = [readPosition(start), readPosition(end)];
  return {
    start_latitude: from?.latitude,
    start_longitude: from?.longitude,
    end_latitude: to?.latitude,
    end_longitude: to?.longitude,
  };
}
