import type { ImportOptions } from '../../import/importer.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { isObject, listObjects, readNumber, readText, toObject, unlessEmpty } from '../values/json-values.ts';
import { readPosition } from './position.ts';
import { type LocationRecord, words, writeEnds } from './timeline-records.ts';

type Json = Record<string, unknown>;

const MOST_WAYPOINTS = 500;

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
    // A shop inside of a station is a visit within a visit.
    const within = listObjects(placeVisit.childVisits).flatMap((child) =>
      readTimelineObject({ placeVisit: child }, options),
    );
    return [{ stream: 'visits', data }, ...within];
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

function readPercent(value: unknown): number | undefined {
  const percent = readNumber(value);
  return percent === undefined ? undefined : percent / 100;
}
