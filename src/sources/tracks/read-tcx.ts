import type { ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { hashKey } from '../../import/read/hash-key.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { readXmlEvents } from '../../import/read/read-xml.ts';
import { readNumber } from '../values/json-values.ts';
import { localName } from './read-gpx.ts';
import { checkPoint, Track } from './track.ts';

/** An activity or a course while it goes by, with what its laps say of themselves. */
interface Way {
  readonly track: Track;
  starts: string | undefined;
  seconds: number;
  meters: number;
  indoors: number;
}

/** Reads TCX, as watches and treadmills write it: activities and courses, each a track of all its laps. */
export async function* readTcx(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  const open: string[] = [];
  let way: Way | undefined;
  let point: Record<string, string> | undefined;
  let text = '';
  let count = 0;
  for await (const event of readXmlEvents(file)) {
    if (event.kind === 'problem') {
      yield { ...event, file };
    } else if (event.kind === 'text') {
      text += event.text;
    } else if (event.kind === 'open') {
      const name = localName(event.name);
      text = '';
      open.push(name);
      if (name === 'Activity' || name === 'Course') {
        count += 1;
        way = startWay(new Track(name === 'Course' ? 'route' : 'track', file, count));
        way.track.activity = event.attributes.Sport?.toLowerCase();
      } else if (name === 'Lap' && way !== undefined)
        way.starts ??= readTime(event.attributes.StartTime ?? '', options);
      else if (name === 'Trackpoint') point = {};
    } else {
      const name = localName(event.name);
      const value = text.replace(/\s+/g, ' ').trim();
      text = '';
      open.pop();
      if (name === 'Trackpoint' && point !== undefined && way !== undefined) {
        const found = finishPoint(point, way, options);
        if (found !== undefined) yield found;
        point = undefined;
      } else if (point !== undefined) point[open.at(-1) === 'HeartRateBpm' ? 'HeartRate' : name] ??= value;
      else if (way !== undefined) readPart(way, name, value, open.at(-1));
      if ((name === 'Activity' || name === 'Course') && way !== undefined) {
        yield* finishWay(way, file);
        way = undefined;
      }
    }
  }
  // A file that was cut off still has the points before the cut.
  if (way !== undefined) yield* finishWay(way, file);
}

const startWay = (track: Track): Way => ({
  track,
  starts: undefined,
  seconds: 0,
  meters: 0,
  indoors: 0,
});

function readPart(way: Way, name: string, value: string, within: string | undefined): void {
  if (within === 'Lap' && name === 'TotalTimeSeconds') way.seconds += readNumber(value) ?? 0;
  if (within === 'Lap' && name === 'DistanceMeters') way.meters += readNumber(value) ?? 0;
  if (value === '') return;
  if (within === 'Course' && name === 'Name') way.track.name = value;
  if ((within === 'Activity' || within === 'Course') && name === 'Notes') way.track.description = value;
}

function finishPoint(point: Record<string, string>, way: Way, options: ImportOptions): Yielded | undefined {
  const position = checkPoint(point.LatitudeDegrees, point.LongitudeDegrees);
  if (position === undefined) {
    way.indoors += 1;
    return undefined;
  }
  return way.track.add({
    ...position,
    time: readTime(point.Time ?? '', options),
    elevation: readNumber(point.AltitudeMeters),
    heartRate: readNumber(point.HeartRate),
    speed: readNumber(point.Speed),
  });
}

function* finishWay(way: Way, file: InputFile): Generator<Yielded> {
  const { track, starts, seconds, meters, indoors } = way;
  if (track.size > 0 || starts === undefined) yield* track.close();
  else {
    // On a treadmill there are no positions, but there was a run.
    const name = file.path.split('/').at(-1) as string;
    const data = {
      id: hashKey(starts, 'tcx', track.activity ?? ''),
      name: track.name ?? name.replace(/\.\w+$/, ''),
      description: track.description,
      kind: 'track',
      activity: track.activity,
      starts_at: starts,
      ends_at: readEpoch(Date.parse(starts) + seconds * 1_000, 'ms'),
      distance_meters: Math.round(meters),
      point_count: 0,
      file_name: name,
    };
    yield { kind: 'record', stream: 'tracks', data, file };
  }
  if (indoors > 0) yield { kind: 'note', file, note: `${indoors} points have no position and were left out` };
}
