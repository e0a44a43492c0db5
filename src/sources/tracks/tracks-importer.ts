import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { readXmlEvents } from '../../import/read/read-xml.ts';
import { declareSource, declareStream, hasMany, hasOne } from '../declare.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { numberOf } from '../values/json.ts';
import { readGeoJson } from './read-geojson.ts';
import { localName, readGpx } from './read-gpx.ts';
import { readKml } from './read-kml.ts';
import { checkPoint, Track } from './track.ts';

const tracksDeclaration = declareSource('tracks', 'Tracks and places', [
  declareStream('tracks', 'Tracks', {
    description: 'Recorded or planned tracks: runs, rides, hikes, routes.',
    detail: 'Your recorded tracks: when, how far, from where.',
    semantics: 'append_only',
    time: 'starts_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'name', 'activity', 'starts_at', 'distance_meters'] },
    relations: [hasMany('points', 'points', 'track_id')],
    fields: {
      id: 'text',
      name: 'text, search',
      description: 'text, search',
      kind: 'text: track as recorded, route as planned, area for a border',
      activity: 'text, search: running, cycling, …, if the file says so',
      starts_at: 'time',
      ends_at: 'time',
      distance_meters: 'number: Distance along the points',
      climb_meters: 'number: Total ascent in metres',
      point_count: 'integer',
      start_latitude: 'number',
      start_longitude: 'number',
      end_latitude: 'number',
      end_longitude: 'number',
      file_name: 'text, search',
    },
  }),
  declareStream('points', 'Positions', {
    description: 'Single positions of tracks, in order.',
    detail: 'Every recorded position of your tracks.',
    semantics: 'append_only',
    time: 'recorded_at',
    isSensitive: true,
    relations: [hasOne('track', 'tracks', 'track_id')],
    fields: {
      id: 'text',
      track_id: 'text, search',
      number: 'integer: Its position in the track, from 1',
      recorded_at: 'time',
      latitude: 'number',
      longitude: 'number',
      elevation_meters: 'number',
      heart_rate: 'number',
      speed_meters_per_second: 'number',
    },
  }),
  declareStream('places', 'Marked places', {
    description: 'Marked places: waypoints, pins, saved places.',
    detail: 'Places you marked or saved, with names and positions.',
    time: 'marked_at',
    isSensitive: true,
    fields: {
      id: 'text',
      name: 'text, search',
      description: 'text, search',
      address: 'text, search',
      folder: 'text, search',
      latitude: 'number',
      longitude: 'number',
      elevation_meters: 'number',
      url: 'text',
      marked_at: 'time',
    },
  }),
]);

type Read = (file: InputFile, options: ImportOptions) => AsyncIterable<ImportItem>;

/** Reads tracks and places in the formats of maps and sports watches. */
export const tracksImporter: Importer = {
  format: 'tracks',
  title: 'Tracks and places (GPX, TCX, KML, GeoJSON)',
  guide: {
    steps: [
      'Garmin Connect, Komoot, Strava: open an activity, choose “Export GPX” (TCX works as well).',
      'Google My Maps: open the menu of a map, choose “Export to KML/KMZ”.',
      'Google Maps: saved places are in Takeout under “Maps (your places)”.',
    ],
    waiting: 'Immediately.',
  },
  identity: {
    places: ['name', 'latitude', 'longitude', 'marked_at'],
    points: ['recorded_at', 'latitude', 'longitude'],
  },
  async recognise(files) {
    const found: InputFile[] = [];
    for (const file of files) if ((await findReader(file)) !== undefined) found.push(file);
    return found.length === 0 ? [] : [{ files: found, certainty: 'likely' }];
  },
  declare: async () => tracksDeclaration,
  async *read({ files }, options) {
    for (const file of files) {
      const read = await findReader(file);
      let count = 0;
      for await (const item of read?.(file, options) ?? []) {
        count += 1;
        yield item;
      }
      if (count === 0) yield makeProblem(file, 'has no tracks, routes or places');
    }
  },
};

async function findReader(file: InputFile): Promise<Read | undefined> {
  const head = await peekText(file);
  const root = /^\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:\w+:)?(\w+)[\s>]/.exec(
    head,
  )?.[1];
  if (root === 'gpx') return readGpx;
  if (root === 'kml') return readKml;
  if (root === 'TrainingCenterDatabase') return readTcx;
  if (!/^\s*\{/.test(head)) return undefined;
  const isGeo =
    /"type"\s*:\s*"(?:FeatureCollection|Feature)"/.test(head) && /"(?:geometry|features)"\s*:/.test(head);
  return isGeo ? readGeoJson : undefined;
}

/** An activity or course while it is read, with the totals of its laps. */
interface TcxActivity {
  readonly track: Track;
  startTime: string | undefined;
  seconds: number;
  meters: number;
  pointsWithoutPosition: number;
}

/** Reads TCX of watches and treadmills: each activity or course is a track of all its laps. */
async function* readTcx(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const open: string[] = [];
  let activity: TcxActivity | undefined;
  let point: Record<string, string> | undefined;
  let text = '';
  let count = 0;
  for await (const event of readXmlEvents(file)) {
    if (event.kind === 'problem') yield { ...event, file };
    else if (event.kind === 'text') {
      text += event.text;
    } else if (event.kind === 'open') {
      const name = localName(event.name);
      text = '';
      open.push(name);
      if (name === 'Activity' || name === 'Course') {
        count += 1;
        activity = createActivity(new Track(name === 'Course' ? 'route' : 'track', file, count));
        activity.track.activity = event.attributes.Sport?.toLowerCase();
      } else if (name === 'Lap' && activity !== undefined)
        activity.startTime ??= readTime(event.attributes.StartTime ?? '', options);
      else if (name === 'Trackpoint') point = {};
    } else {
      const name = localName(event.name);
      const value = text.replace(/\s+/g, ' ').trim();
      text = '';
      open.pop();
      if (name === 'Trackpoint' && point !== undefined && activity !== undefined) {
        const found = finishPoint(point, activity, options);
        if (found !== undefined) yield found;
        point = undefined;
      } else if (point !== undefined) point[open.at(-1) === 'HeartRateBpm' ? 'HeartRate' : name] ??= value;
      else if (activity !== undefined) readElement(activity, name, value, open.at(-1));
      if ((name === 'Activity' || name === 'Course') && activity !== undefined) {
        yield* finishActivity(activity, file);
        activity = undefined;
      }
    }
  }
  // A truncated file still has the points before the cut.
  if (activity !== undefined) yield* finishActivity(activity, file);
}

const createActivity = (track: Track): TcxActivity => ({
  track,
  startTime: undefined,
  seconds: 0,
  meters: 0,
  pointsWithoutPosition: 0,
});

function readElement(activity: TcxActivity, name: string, value: string, parent: string | undefined): void {
  if (parent === 'Lap' && name === 'TotalTimeSeconds') activity.seconds += numberOf(value) ?? 0;
  if (parent === 'Lap' && name === 'DistanceMeters') activity.meters += numberOf(value) ?? 0;
  if (value === '') return;
  if (parent === 'Course' && name === 'Name') activity.track.name = value;
  if ((parent === 'Activity' || parent === 'Course') && name === 'Notes') activity.track.description = value;
}

function finishPoint(
  point: Record<string, string>,
  activity: TcxActivity,
  options: ImportOptions,
): ImportItem | undefined {
  const position = checkPoint(point.LatitudeDegrees, point.LongitudeDegrees);
  if (position === undefined) {
    activity.pointsWithoutPosition += 1;
    return undefined;
  }
  return activity.track.add({
    ...position,
    time: readTime(point.Time ?? '', options),
    elevation: numberOf(point.AltitudeMeters),
    heartRate: numberOf(point.HeartRate),
    speed: numberOf(point.Speed),
  });
}

function* finishActivity(activity: TcxActivity, file: InputFile): Generator<ImportItem> {
  const { track, startTime, seconds, meters, pointsWithoutPosition } = activity;
  if (track.size > 0 || startTime === undefined) yield* track.close();
  else {
    // A run on a treadmill has no positions, but it is imported.
    const name = file.path.split('/').at(-1) as string;
    const data = {
      id: hashKey(startTime, 'tcx', track.activity ?? ''),
      name: track.name ?? name.replace(/\.\w+$/, ''),
      description: track.description,
      kind: 'track',
      activity: track.activity,
      starts_at: startTime,
      ends_at: readEpoch(Date.parse(startTime) + seconds * 1_000, 'ms'),
      distance_meters: Math.round(meters),
      point_count: 0,
      file_name: name,
    };
    yield makeRecord(file, 'tracks', data);
  }
  if (pointsWithoutPosition > 0)
    yield makeNote(file, `${pointsWithoutPosition} points without a position skipped`);
}
