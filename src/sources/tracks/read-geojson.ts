import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { makeProblem, readEach } from '../files/import-items.ts';
import { isObject, numberOf, objectOf, trimmedText } from '../values/json.ts';
import { checkPoint, Track } from './track.ts';

type Json = Record<string, unknown>;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads GeoJSON (RFC 7946), also the saved places of Google Maps. Points become places, and lines become tracks. */
export async function* readGeoJson(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const counter = { tracks: 0 };
  let features = 0;
  yield* readEach(file, readJsonElements(file, ['features.*', 'locations.*']), function* (element) {
    features += 1;
    const place = `feature ${Number(element.path[1]) + 1}`;
    yield* readFeature(objectOf(element.value), place, file, options, counter);
  });
  if (features > 0) return;
  // A single feature has no list around it.
  for await (const element of readJsonElements(file, ['']))
    if (element.kind === 'element')
      yield* readFeature(objectOf(element.value), 'feature 1', file, options, counter);
}

function* readFeature(
  feature: Json,
  place: string,
  file: InputFile,
  options: ImportOptions,
  counter: { tracks: number },
): Generator<ImportItem> {
  const properties = objectOf(feature.properties);
  const geometry = isObject(feature.geometry) ? feature.geometry : feature;
  const shapes =
    geometry.type === 'GeometryCollection' ? list(geometry.geometries).map(objectOf) : [geometry];
  let found = 0;
  for (const { type, coordinates } of shapes) {
    const isMulti = typeof type === 'string' && type.startsWith('Multi');
    for (const part of isMulti ? list(coordinates) : [coordinates]) {
      const kind = String(type).replace(/^Multi/, '');
      if (kind === 'Point' && checkPoint(list(part)[1], list(part)[0]) !== undefined) {
        found += 1;
        yield { kind: 'record', ...readPoint(list(part), properties, options), place, file };
      } else if (kind === 'LineString' || kind === 'Polygon') {
        found += 1;
        counter.tracks += 1;
        const track = new Track(kind === 'Polygon' ? 'area' : 'track', file, counter.tracks);
        yield* readLine(track, list(kind === 'Polygon' ? list(part)[0] : part), properties, options);
      }
    }
  }
  if (found === 0) yield makeProblem(file, 'has no valid position', place);
}

function readPoint(coordinates: readonly unknown[], properties: Json, options: ImportOptions) {
  const position = checkPoint(coordinates[1], coordinates[0]);
  const saved = objectOf(properties.Location ?? properties.location);
  const name = trimmedText(
    properties.name ?? properties.title ?? properties.Title ?? saved['Business Name'] ?? saved.name,
  );
  const time = findTime(properties, options);
  const elevation = numberOf(coordinates[2]);
  // A point with a time but no name was recorded by a device, not saved by a person.
  if (name === undefined && time !== undefined && properties.google_maps_url === undefined)
    return {
      stream: 'points',
      data: {
        ...position,
        recorded_at: time,
        elevation_meters: elevation,
        speed_meters_per_second: numberOf(properties.speed),
      },
    };
  const data = {
    name,
    description: describePlace(properties),
    address: trimmedText(saved.Address ?? saved.address ?? properties.address),
    ...position,
    elevation_meters: elevation,
    url: trimmedText(properties.google_maps_url ?? properties['Google Maps URL'] ?? properties.url),
    marked_at: time,
  };
  return { stream: 'places', data };
}

/** Returns the description, or the owner's review of a place on Google Maps. */
function describePlace(properties: Json): string | undefined {
  const own = trimmedText(properties.description ?? properties.desc ?? properties.Comment);
  const { review_text_published: review, five_star_rating_published: stars } = properties;
  const text = own ?? trimmedText(review ?? properties['Review Comment']);
  const rating = numberOf(stars ?? properties['Star Rating']);
  return (
    [rating === undefined ? undefined : `${rating} of 5 stars`, text].filter(Boolean).join('\n') || undefined
  );
}

function* readLine(
  track: Track,
  line: readonly unknown[],
  properties: Json,
  options: ImportOptions,
): Generator<ImportItem> {
  track.name = trimmedText(properties.name ?? properties.title);
  track.description = trimmedText(properties.description ?? properties.desc);
  track.activity = trimmedText(properties.activity ?? properties.type)?.toLowerCase();
  const times = list(properties.coordTimes ?? objectOf(properties.coordinateProperties).times).flat();
  const start = findTime(properties, options);
  for (const [index, point] of line.entries()) {
    const position = checkPoint(list(point)[1], list(point)[0]);
    const timeText = trimmedText(times[index]);
    const time = timeText === undefined ? undefined : readTime(timeText, options);
    if (position !== undefined)
      yield track.add({
        ...position,
        elevation: numberOf(list(point)[2]),
        time: time ?? (index === 0 ? start : undefined),
      });
  }
  yield* track.close();
}

function findTime(properties: Json, options: ImportOptions): string | undefined {
  const names = ['time', 'timestamp', 'date', 'Published', 'startTime', 'created'];
  for (const name of names) {
    const value = properties[name];
    const time = typeof value === 'number' ? readEpoch(value) : readTime(trimmedText(value) ?? '', options);
    if (time !== undefined) return time;
  }
  return undefined;
}
