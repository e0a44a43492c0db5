import type { Importer, ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readGeoJson } from './read-geojson.ts';
import { readGpx } from './read-gpx.ts';
import { readKml } from './read-kml.ts';
import { readTcx } from './read-tcx.ts';
import { tracksDeclaration } from './tracks-declaration.ts';

type Read = (file: InputFile, options: ImportOptions) => AsyncIterable<Yielded>;

/** Ways and places as every map and every sports watch can write them. */
export const tracksImporter: Importer = {
  format: 'tracks',
  title: 'Tracks and places (GPX, TCX, KML, GeoJSON)',
  guide: {
    steps: [
      'Garmin Connect, Komoot, Strava: open an activity, choose “Export GPX” (TCX is read as well).',
      'Google My Maps: open the menu of a map, choose “Export to KML/KMZ”.',
      'Google Maps: saved places are in Takeout under “Maps (your places)”.',
    ],
    waiting: 'None: the file is written at once.',
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
      if (count === 0) yield { kind: 'problem', file, reason: 'has no tracks, routes or places' };
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
