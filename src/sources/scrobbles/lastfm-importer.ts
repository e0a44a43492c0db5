import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { readFileByFile } from '../files/recognise-files.ts';
import { dropEmpty, firstText, type JsonObject, objectOf, textOf } from '../values/json.ts';
import { openTableWith, readRows } from '../values/table-cells.ts';
import { declareScrobbles } from './scrobbles-declaration.ts';

/** Reads the files of third-party programs: Last.fm has no export. */
export const lastfmImporter: Importer = {
  format: 'lastfm',
  title: 'Last.fm',
  guide: {
    steps: [
      'Open lastfmstats.com, enter your name, wait, and choose “Export” as JSON or CSV.',
      'Or use another program that saves your scrobbles; most formats work.',
    ],
    waiting: 'A few minutes for years of plays.',
  },
  identity: { plays: ['played_at', 'artist', 'title'] },
  ...readFileByFile(findReader),
  declare: async () => declareScrobbles('lastfm', 'Last.fm'),
};

type Read = (options: ImportOptions) => AsyncIterable<ImportItem>;
type Play = Record<string, unknown>;

async function findReader(file: InputFile): Promise<Read | undefined> {
  const head = await peekText(file);
  // Pages of the Last.fm API.
  if (/^\s*\[?\s*\{\s*"track"\s*:\s*\[/.test(head) && head.includes('"#text"') && head.includes('"artist"'))
    return () => readJson(file, [/^\s*\[/.test(head) ? '*.track.*' : 'track.*'], readAnswered);
  if (/^\s*\{/.test(head) && /"scrobbles"\s*:\s*\[/.test(head) && head.includes('"username"'))
    return () => readJson(file, ['scrobbles.*'], readCounted);
  const marked = await openTableWith(file, ['uts', 'utc_time', 'artist', 'album', 'track']);
  if (marked !== undefined) return (options) => readTable(file, marked, options);
  const isStats = (cells: readonly string[]) =>
    cells[0] === 'Artist' && cells.includes('Track') && /^Date#/.test(cells.at(-1) ?? '');
  const stats = await openTable(file, { isHeader: isStats });
  return stats === undefined ? undefined : (options) => readTable(file, stats, options);
}

async function* readJson(
  file: InputFile,
  paths: readonly string[],
  read: (item: JsonObject) => Play | undefined,
): AsyncGenerator<ImportItem> {
  let count = 0;
  yield* readEach(file, readJsonElements(file, paths), function* (element) {
    count += 1;
    const item = objectOf(element.value);
    // The current track has no time and comes again later with one.
    if (objectOf(item['@attr']).nowplaying === 'true') return;
    yield toYielded(read(item), file, `track ${count}`);
  });
}

function readAnswered(item: JsonObject): Play {
  const nameOf = (value: unknown) => firstText(objectOf(value)['#text'], objectOf(value).name);
  return {
    title: textOf(item.name),
    artist: nameOf(item.artist),
    album: nameOf(item.album),
    played_at: readEpoch(objectOf(item.date).uts, 's'),
    url: textOf(item.url),
    track_mbid: textOf(item.mbid),
    artist_mbid: textOf(objectOf(item.artist).mbid),
    album_mbid: textOf(objectOf(item.album).mbid),
  };
}

function readCounted(item: JsonObject): Play {
  return {
    title: textOf(item.track),
    artist: textOf(item.artist),
    album: textOf(item.album),
    played_at: readEpoch(item.date),
    album_mbid: textOf(item.albumId),
  };
}

function readTable(file: InputFile, table: Table, options: ImportOptions): AsyncGenerator<ImportItem> {
  const date = table.columns.find((name) => /^Date#/.test(name)) ?? 'uts';
  return readRows(file, table, function* (get, place) {
    const time = get(date) ?? '';
    const play = {
      title: get('Track'),
      artist: get('Artist'),
      album: get('Album'),
      played_at: readEpoch(time) ?? readTime(time, options),
      track_mbid: get('track_mbid'),
      artist_mbid: get('artist_mbid'),
      album_mbid: get('album_mbid', 'AlbumId'),
    };
    yield toYielded(play, file, place);
  });
}

function toYielded(play: Play | undefined, file: InputFile, place: string): ImportItem {
  if (play?.played_at === undefined || play.title === undefined)
    return makeProblem(file, 'has no time or no name', place);
  return makeRecord(file, 'plays', dropEmpty(play), place);
}
