import type { ImportOptions } from '../../import/importer.ts';
import { formatTime, readEpoch, readTime } from '../../import/read/read-time.ts';
import { isObject, listObjects, readNumber, readText, toObject, unlessEmpty } from '../json-values.ts';
import { readPosition } from './position.ts';

type Json = Record<string, unknown>;
export interface LocationRecord {
  readonly stream: 'visits' | 'trips' | 'points' | 'places';
  readonly data: Record<string, unknown>;
}

const words = (value: unknown) => readText(value)?.toLowerCase().replaceAll('_', ' ');
const MOST_WAYPOINTS = 500;

/** A segment of Timeline since 2024, of Android (`semanticSegments`) or of iOS. */
export function readSegment(segment: Json, options: ImportOptions): LocationRecord[] {
  const at = (value: unknown) => readTime(readText(value) ?? '', options);
  const stay = { starts_at: at(segment.startTime), ends_at: at(segment.endTime) };
  if (isObject(segment.visit)) {
    const place = toObject(segment.visit.topCandidate);
    const type = words(place.semanticType);
    const data = {
      name: type === 'unknown' || type === 'type unknown' ? undefined : type,
      ...stay,
      semantic_type: type,
      place_id: readText(place.placeId ?? place.placeID),
      ...readPosition(place.placeLocation),
      probability: readNumber(segment.visit.probability),
    };
    return [{ stream: 'visits', data }];
  }
  if (isObject(segment.activity)) {
    const { start, end, distanceMeters, topCandidate, probability } = segment.activity;
    const data = {
      activity: words(toObject(topCandidate).type),
      ...stay,
      distance_meters: readNumber(distanceMeters),
      ...writeEnds(start, end),
      probability: readNumber(probability),
    };
    return [{ stream: 'trips', data }];
  }
  const from = Date.parse(stay.starts_at ?? '');
  return listObjects(segment.timelinePath).flatMap((point): LocationRecord[] => {
    const minutes = readNumber(point.durationMinutesOffsetFromStartTime);
    const time = at(point.time) ?? (minutes === undefined ? undefined : formatTime(from + minutes * 60_000));
    const position = readPosition(point);
    return position === undefined ? [] : [{ stream: 'points', data: { recorded_at: time, ...position } }];
  });
}

/** A raw signal of Timeline: a position. Scans of networks and guesses of activity are not places. */
export function readSignal(signal: Json, options: ImportOptions): LocationRecord[] {
  if (!isObject(signal.position)) return [];
  const { position } = signal;
  const found = readPosition(position);
  if (found === undefined) return [];
  const data = {
    recorded_at: readTime(readText(position.timestamp) ?? '', options),
    ...found,
    accuracy_meters: readNumber(position.accuracyMeters),
    altitude_meters: readNumber(position.altitudeMeters),
    speed_meters_per_second: readNumber(position.speedMetersPerSecond),
    source: readText(position.source),
  };
  return [{ stream: 'points', data }];
}

/** A place that Timeline has learned: home, work. */
export function readFrequentPlace(place: Json): LocationRecord[] {
  const id = readText(place.placeId ?? place.placeID);
  const position = readPosition(place.placeLocation);
  if (position === undefined) return [];
  return [{ stream: 'places', data: { id, name: words(place.label), ...position } }];
}

/** A position of `Records.json`, called `Location History.json` before 2022. */
export function readLocation(location: Json, options: ImportOptions): LocationRecord[] {
  const position = readPosition(location);
  if (position === undefined) return [];
  const guesses = listObjects(listObjects(location.activity)[0]?.activity);
  const best = guesses.sort(
    (one, other) => (readNumber(other.confidence) ?? 0) - (readNumber(one.confidence) ?? 0),
  )[0];
  const data = {
    recorded_at:
      readTime(readText(location.timestamp) ?? '', options) ?? readEpoch(location.timestampMs, 'ms'),
    ...position,
    accuracy_meters: readNumber(location.accuracy),
    altitude_meters: readNumber(location.altitude),
    speed_meters_per_second: readNumber(location.velocity),
    activity: words(best?.type),
    source: readText(location.source),
    device: readNumber(location.deviceTag),
  };
  return [{ stream: 'points', data }];
}

/** An object of `Semantic Location History`: a place visited, or a way between two. */
export function readTimelineObject(item: Json, options: ImportOptions): LocationRecord[] {
  const { placeVisit, activitySegment } = item;
  if (isObject(placeVisit)) {
    const place = toObject(placeVisit.location);
    const data = {
      name: readText(place.name) ?? words(place.semanticType)?.replace(/^type /, ''),
      address: readText(place.address)?.replaceAll('\n', ', '),
      ...readDuration(placeVisit.duration, options),
      semantic_type: words(place.semanticType)?.replace(/^type /, ''),
      place_id: readText(place.placeId),
      ...(readPosition(place) ?? readPosition(placeVisit)),
      probability: readPercent(placeVisit.visitConfidence),
    };
    return [{ stream: 'visits', data }];
  }
  if (!isObject(activitySegment)) return [];
  const waypoints = listObjects(toObject(activitySegment.waypointPath).waypoints).map(readPosition);
  const path = waypoints.flatMap((one) => (one === undefined ? [] : [`${one.latitude},${one.longitude}`]));
  const data = {
    activity: words(activitySegment.activityType),
    ...readDuration(activitySegment.duration, options),
    distance_meters: readNumber(activitySegment.distance),
    ...writeEnds(activitySegment.startLocation, activitySegment.endLocation),
    path: unlessEmpty(path.slice(0, MOST_WAYPOINTS)),
  };
  const points = listObjects(toObject(activitySegment.simplifiedRawPath).points).flatMap(
    (point): LocationRecord[] => {
      const time = readTime(readText(point.timestamp) ?? '', options) ?? readEpoch(point.timestampMs, 'ms');
      const position = readPosition(point);
      const accuracy = readNumber(point.accuracyMeters);
      return position === undefined
        ? []
        : [{ stream: 'points', data: { recorded_at: time, ...position, accuracy_meters: accuracy } }];
    },
  );
  return [{ stream: 'trips', data }, ...points];
}

function readDuration(value: unknown, options: ImportOptions): Json {
  const duration = toObject(value);
  const at = (text: unknown, count: unknown) =>
    readTime(readText(text) ?? '', options) ?? readEpoch(count, 'ms');
  return {
    starts_at: at(duration.startTimestamp, duration.startTimestampMs),
    ends_at: at(duration.endTimestamp, duration.endTimestampMs),
  };
}

function writeEnds(start: unknown, end: unknown): Json {
  const [from, to] = [readPosition(start), readPosition(end)];
  return {
    start_latitude: from?.latitude,
    start_longitude: from?.longitude,
    end_latitude: to?.latitude,
    end_longitude: to?.longitude,
  };
}

function readPercent(value: unknown): number | undefined {
  const percent = readNumber(value);
  return percent === undefined ? undefined : percent / 100;
}
