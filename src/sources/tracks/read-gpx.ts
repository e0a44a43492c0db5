import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import { readXmlEvents } from '../../import/read/read-xml.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { numberOf } from '../values/json.ts';
import { checkPoint, Track } from './track.ts';

type Point = Record<string, string>;

export async function* readGpx(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const open: string[] = [];
  let track: Track | undefined;
  let point: Point | undefined;
  let text = '';
  let tracks = 0;
  let bad = 0;
  for await (const event of readXmlEvents(file)) {
    if (event.kind === 'problem') yield { ...event, file };
    else if (event.kind === 'text') {
      text += event.text;
    } else if (event.kind === 'open') {
      const name = localName(event.name);
      open.push(name);
      text = '';
      if (name === 'trk' || name === 'rte') {
        tracks += 1;
        track = new Track(name === 'trk' ? 'track' : 'route', file, tracks);
      }
      if (/^(?:trkpt|rtept|wpt)$/.test(name)) point = { ...event.attributes };
    } else {
      const name = localName(event.name);
      open.pop();
      const value = text.replace(/\s+/g, ' ').trim();
      text = '';
      if (/^(?:trkpt|rtept|wpt)$/.test(name) && point !== undefined) {
        const found = finishPoint(point, name, track, file, options);
        if (found === undefined) bad += 1;
        else yield found;
        point = undefined;
      } else if (point !== undefined) {
        if (value !== '') point[name] ??= value;
      } else if (track !== undefined && (open.at(-1) === 'trk' || open.at(-1) === 'rte') && value !== '') {
        if (name === 'name') track.name = value;
        if (name === 'desc' || name === 'cmt') track.description ??= value;
        if (name === 'type') track.activity = value.toLowerCase();
      }
      if ((name === 'trk' || name === 'rte') && track !== undefined) {
        yield* track.close();
        track = undefined;
      }
    }
  }
  // A truncated file still has the points before the cut.
  if (track !== undefined) yield* track.close();
  if (bad > 0) yield makeProblem(file, `${bad} points have no valid position`);
}

function finishPoint(
  point: Point,
  name: string,
  track: Track | undefined,
  file: InputFile,
  options: ImportOptions,
): ImportItem | undefined {
  const position = checkPoint(point.lat, point.lon);
  if (position === undefined) return undefined;
  const time = readTime(point.time ?? '', options);
  const elevation = numberOf(point.ele);
  if (name !== 'wpt' && track !== undefined)
    return track.add({
      ...position,
      time,
      elevation,
      heartRate: numberOf(point.hr),
      speed: numberOf(point.speed),
    });
  const data = {
    name: point.name,
    description: point.desc ?? point.cmt,
    folder: point.type,
    ...position,
    elevation_meters: elevation,
    url: point.href ?? point.url,
    marked_at: time,
  };
  return makeRecord(file, 'places', data);
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1);
