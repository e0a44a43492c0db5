import type { Importer, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { makeNote, makeRecord, readEach } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { isObject, numberOf, objectOf, objectsOf, someOf, trimmedText } from '../values/json.ts';
import { googleLocationDeclaration } from './google-location-declaration.ts';
import { readPosition } from './position.ts';
import {
  type LocationRecord,
  readFrequentPlace,
  readLocation,
  readSegment,
  readSignal,
  words,
  writeEnds,
} from './timeline-records.ts';

type Read = (item: Record<string, unknown>, options: ImportOptions) => LocationRecord[];

/** The paths of each kind of item. */
interface Shape {
  readonly matches: (head: string) => boolean;
  readonly readers: Readonly<Record<string, Read>>;
}

const shapes: readonly Shape[] = [
  {
    matches: (head) => /^\s*\{/.test(head) && /"(?:semanticSegments|rawSignals)"\s*:\s*\[/.test(head),
    readers: {
      'semanticSegments.*': readSegment,
      'rawSignals.*': readSignal,
      'userLocationProfile.frequentPlaces.*': readFrequentPlace,
    },
  },
  {
    // The iPhone writes only the segments.
    matches: (head) =>
      /^\s*\[\s*\{/.test(head) &&
      /"(?:startTime|endTime)"\s*:/.test(head) &&
      /"(?:topCandidate|timelinePath)"\s*:/.test(head),
    readers: { '*': readSegment },
  },
  {
    matches: (head) => /^\s*\{[\s\S]*"timelineObjects"\s*:\s*\[/.test(head),
    readers: { 'timelineObjects.*': readTimelineObject },
  },
  {
    matches: (head) => /^\s*\{[\s\S]*"locations"\s*:\s*\[/.test(head) && /"latitudeE7"\s*:/.test(head),
    readers: { 'locations.*': readLocation },
  },
];

/** If the Timeline is stored only on the phone, Takeout has a short notice instead. */
const MAX_NOTICE_BYTES = 20_000;

/** Reads the owner's locations, in the four formats that Google has used. */
export const googleLocationImporter: Importer = {
  format: 'google-location',
  title: 'Google Timeline and location history',
  fillsArchive: true,
  guide: {
    steps: [
      'Android: open “Settings”, “Location”, “Location services”, “Timeline”, and choose “Export Timeline data”.',
      'iPhone: open Google Maps, your picture, “Settings”, “Location & privacy”, and choose “Export Timeline data”.',
      'Older history: download it from takeout.google.com, under “Location History (Timeline)”.',
    ],
    waiting: 'Immediately on the phone; Takeout takes a few minutes.',
  },
  identity: {
    visits: ['starts_at', 'ends_at', 'place_id', 'latitude', 'longitude'],
    trips: ['starts_at', 'ends_at', 'start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'],
    points: ['recorded_at', 'latitude', 'longitude', 'source'],
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await findShape(file)) !== undefined),
  async explain(file) {
    if (!/\.(?:txt|html?)$/i.test(file.path) || (file.bytes ?? 0) > MAX_NOTICE_BYTES) return undefined;
    const text = await peekText(file);
    const isNotice = /encrypt|verschlüssel|chiffr|cifrad/i.test(text) && /\btimeline\b|zeitachse/i.test(text);
    return isNotice
      ? 'says that your Timeline is encrypted and not in this archive; export it on your phone, under Settings, Location, Timeline'
      : undefined;
  },
  declare: async () => googleLocationDeclaration,
  async *read({ files }, options) {
    const places = new Map<string, unknown>();
    for (const file of files) {
      const readers = (await findShape(file))?.readers ?? {};
      let skipped = 0;
      yield* readEach(file, readJsonElements(file, Object.keys(readers)), function* (element) {
        const path = element.path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
        const records = isObject(element.value) ? (readers[path]?.(element.value, options) ?? []) : [];
        if (records.length === 0) skipped += 1;
        const place = `entry ${Number(element.path.at(-1)) + 1}`;
        for (const record of records) {
          const data = record.stream === 'places' ? splitByLabel(record.data, places) : record.data;
          if (data !== undefined) yield makeRecord(file, record.stream, data, place);
        }
      });
      if (skipped > 0)
        yield makeNote(file, `${skipped} entries without a location skipped, such as network scans`);
    }
  },
};

/** Makes one record per label of a place, which may be both home and work. The first one keeps the id. */
function splitByLabel(
  data: LocationRecord['data'],
  seen: Map<string, unknown>,
): LocationRecord['data'] | undefined {
  const { id, name } = data;
  if (typeof id !== 'string') return data;
  const key = seen.has(id) && seen.get(id) !== name ? `${id}/${name}` : id;
  if (seen.has(key)) return undefined;
  seen.set(key, name);
  return { ...data, id: key };
}

async function findShape(file: InputFile): Promise<Shape | undefined> {
  const head = await peekText(file);
  return shapes.find(({ matches }) => matches(head));
}

type Json = Record<string, unknown>;

const MAX_WAYPOINTS = 500;

/** Reads an object of `Semantic Location History`: a visit or a movement. */
function readTimelineObject(item: Json, options: ImportOptions): LocationRecord[] {
  const { placeVisit, activitySegment } = item;
  if (isObject(placeVisit)) {
    const place = objectOf(placeVisit.location);
    const data = {
      name: trimmedText(place.name) ?? words(place.semanticType)?.replace(/^type /, ''),
      address: trimmedText(place.address)?.replaceAll('\n', ', '),
      ...readDuration(placeVisit.duration, options),
      semantic_type: words(place.semanticType)?.replace(/^type /, ''),
      place_id: trimmedText(place.placeId),
      ...(readPosition(place) ?? readPosition(placeVisit)),
      probability: readPercent(placeVisit.visitConfidence),
    };
    // A shop inside a station is a visit within a visit.
    const within = objectsOf(placeVisit.childVisits).flatMap((child) =>
      readTimelineObject({ placeVisit: child }, options),
    );
    return [{ stream: 'visits', data }, ...within];
  }
  if (!isObject(activitySegment)) return [];
  const waypoints = objectsOf(objectOf(activitySegment.waypointPath).waypoints).map(readPosition);
  const path = waypoints.flatMap((one) => (one === undefined ? [] : [`${one.latitude},${one.longitude}`]));
  const data = {
    activity: words(activitySegment.activityType),
    ...readDuration(activitySegment.duration, options),
    distance_meters: numberOf(activitySegment.distance),
    ...writeEnds(activitySegment.startLocation, activitySegment.endLocation),
    path: someOf(path.slice(0, MAX_WAYPOINTS)),
  };
  const points = objectsOf(objectOf(activitySegment.simplifiedRawPath).points).flatMap(
    (point): LocationRecord[] => {
      const time =
        readTime(trimmedText(point.timestamp) ?? '', options) ?? readEpoch(point.timestampMs, 'ms');
      const position = readPosition(point);
      const accuracy = numberOf(point.accuracyMeters);
      return position === undefined
        ? []
        : [{ stream: 'points', data: { recorded_at: time, ...position, accuracy_meters: accuracy } }];
    },
  );
  return [{ stream: 'trips', data }, ...points];
}

function readDuration(value: unknown, options: ImportOptions): Json {
  const duration = objectOf(value);
  const at = (text: unknown, count: unknown) =>
    readTime(trimmedText(text) ?? '', options) ?? readEpoch(count, 'ms');
  return {
    starts_at: at(duration.startTimestamp, duration.startTimestampMs),
    ends_at: at(duration.endTimestamp, duration.endTimestampMs),
  };
}

function readPercent(value: unknown): number | undefined {
  const percent = numberOf(value);
  return percent === undefined ? undefined : percent / 100;
}
