import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { readTime } from '../../import/read/read-time.ts';
import { readXmlEvents } from '../../import/read/read-xml.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { localName } from './read-gpx.ts';
import { checkPoint, Track, type TrackPoint } from './track.ts';

interface Placemark {
  name?: string;
  description?: string;
  address?: string;
  when?: string;
  /** Its geometries, in order. */
  readonly shapes: { readonly kind: string; readonly points: TrackPoint[]; readonly times: string[] }[];
}

const SHAPES = /^(?:Point|LineString|LinearRing|Track)$/;
/** Of larger placemarks only this many positions are read. */
const MAX_POINTS = 500_000;

export async function* readKml(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const open: string[] = [];
  const folders: string[] = [];
  let mark: Placemark | undefined;
  let text = '';
  const counter = { tracks: 0 };
  for await (const event of readXmlEvents(file)) {
    if (event.kind === 'problem') yield { ...event, file };
    else if (event.kind === 'text') {
      text += event.text;
    } else if (event.kind === 'open') {
      const name = localName(event.name);
      open.push(name);
      text = '';
      if (name === 'Folder' || name === 'Document') folders.push('');
      if (name === 'Placemark') mark = { shapes: [] };
      if (SHAPES.test(name)) mark?.shapes.push({ kind: name, points: [], times: [] });
    } else {
      const name = localName(event.name);
      open.pop();
      const value = text.trim();
      text = '';
      if (mark !== undefined) readPart(mark, name, value, open, options);
      else if (name === 'name' && folders.length > 0) folders[folders.length - 1] = value;
      if (name === 'Folder' || name === 'Document') folders.pop();
      if (name === 'Placemark' && mark !== undefined) {
        yield* finish(
          mark,
          folders
            .slice(1)
            .filter((folder) => folder !== '')
            .join(' / '),
          file,
          counter,
        );
        mark = undefined;
      }
    }
  }
}

function readPart(
  mark: Placemark,
  name: string,
  value: string,
  open: readonly string[],
  options: ImportOptions,
): void {
  const shape = mark.shapes.at(-1);
  if (value === '') return;
  if (open.at(-1) === 'Placemark') {
    if (name === 'name') mark.name = value.replace(/\s+/g, ' ');
    if (name === 'description') mark.description = readHtmlText(value);
    if (name === 'address') mark.address = value.replace(/\s+/g, ' ');
  }
  if (name === 'when' || name === 'begin') {
    const time = readTime(value, options) ?? '';
    if (open.at(-1) === 'Track') shape?.times.push(time);
    else if (time !== '') mark.when ??= time;
  }
  if (name === 'coordinates')
    for (const position of value.replace(/\s*,\s*/g, ',').split(/\s+/))
      addPoint(shape?.points, position.split(','));
  if (name === 'coord') addPoint(shape?.points, value.split(/\s+/));
}

function addPoint(
  points: TrackPoint[] | undefined,
  [longitude, latitude, elevation]: readonly string[],
): void {
  const position = checkPoint(latitude, longitude);
  const height = Number(elevation);
  if (position === undefined || points === undefined || points.length >= MAX_POINTS) return;
  points.push({
    ...position,
    elevation: elevation === undefined || !Number.isFinite(height) ? undefined : height,
  });
}

function* finish(
  mark: Placemark,
  folder: string,
  file: InputFile,
  counter: { tracks: number },
): Generator<ImportItem> {
  const { name, description, address, when, shapes } = mark;
  const drawn = shapes.filter(({ points }) => points.length > 0);
  if (drawn.length === 0 && address === undefined)
    yield makeProblem(file, 'has no valid position', 'a placemark');
  if (drawn.length === 0 && address !== undefined) drawn.push({ kind: 'Point', points: [], times: [] });
  for (const { kind, points, times } of drawn) {
    if (kind === 'Point') {
      const { latitude, longitude } = points[0] ?? {};
      const data = {
        name,
        description,
        address,
        folder: folder || undefined,
        latitude,
        longitude,
        marked_at: when,
      };
      yield makeRecord(file, 'places', data);
      continue;
    }
    counter.tracks += 1;
    const track = new Track(kind === 'LinearRing' ? 'area' : 'track', file, counter.tracks);
    track.name = name;
    track.description = description;
    for (const [index, point] of points.entries())
      yield track.add({ ...point, time: times[index] || (index === 0 ? when : undefined) });
    yield* track.close();
  }
}
