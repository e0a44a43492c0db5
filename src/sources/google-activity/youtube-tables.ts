import type { ImportItem, InputFile } from '../../import/importer.ts';
import { openTable } from '../../import/read/read-table.ts';
import { readTime } from '../../import/read/read-time.ts';
import { sniffTable, splitRows } from '../../import/read/sniff-table.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { probeFile } from '../files/recognise-files.ts';
import { dropEmpty, objectOf, textOf } from '../values/json.ts';

export type YoutubeTable = 'subscriptions' | 'comments' | 'playlists' | 'playlist_videos';

const CHANNEL = /^UC[\w-]{5,30}$/;
const COMMENT = /^Ug[\w-]{5,60}(?:\.[\w-]+)?$/;
const PLAYLIST = /^(?:PL|LL|FL|WL|OL|UU)[\w-]*$/;
const VIDEO = /^[\w-]{11}$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const SAID = /^\{"text"\s*:/;

/** File and column names are in the account's language; cells are the same in all. */
export async function detectYoutubeTable(file: InputFile): Promise<YoutubeTable | undefined> {
  const { text, path } = await probeFile(file);
  if (/^\s*[[{<]/.test(text) || !/youtube|playlist|video|vid[eé]o|vídeo|Ug[\w-]{5}/i.test(`${path} ${text}`))
    return undefined;
  const table = sniffTable(text);
  if (table === undefined || table.isHeadless) return undefined;
  const rows = splitRows(text, table.delimiter).slice(table.preamble + 1);
  const cells = rows
    .map((row) => row.map((cell) => cell.trim()))
    .find((row) => row.some((cell) => cell !== ''));
  if (cells === undefined) return undefined;
  const has = (pattern: RegExp) => cells.some((cell) => pattern.test(cell));
  if (CHANNEL.test(cells[0] ?? '') && has(/^https?:\/\/www\.youtube\.com\/channel\/UC/))
    return 'subscriptions';
  if (has(COMMENT) && has(SAID) && has(TIME)) return 'comments';
  const isNamed = /playlist|v[ií]d[eé]o/i.test(`${path} ${table.header.join(' ')}`);
  if (!isNamed || !has(TIME)) return undefined;
  if (cells.length === 2 && VIDEO.test(cells[0] ?? '')) return 'playlist_videos';
  return cells.length >= 5 && PLAYLIST.test(cells[0] ?? '') ? 'playlists' : undefined;
}

export async function* readYoutubeTable(file: InputFile, kind: YoutubeTable): AsyncGenerator<ImportItem> {
  // Until 2022 a playlist and its videos were two tables in one file, so the first row is the header.
  const isFilled = (cells: readonly string[]) => cells.some((cell) => cell !== '');
  const table = await openTable(file, { delimiter: ',', isHeader: isFilled });
  yield* readEach(file, table?.rows() ?? [], function* (row) {
    const place = `line ${row.line}`;
    const cells = Object.entries(row.values).map(([name, value]) => [name, value.trim()] as const);
    const filled = cells.flatMap(([, value]) => (value === '' ? [] : [value]));
    const isVideo = filled.length === 2 && VIDEO.test(filled[0] ?? '') && TIME.test(filled[1] ?? '');
    const isSecondHeader = /^playlist/.test(kind) && filled.length === 2 && !isVideo;
    if (filled.length === 0 || isSecondHeader) return;
    const stream = isVideo ? 'playlist_videos' : /^playlist/.test(kind) ? 'playlists' : kind;
    const data = READERS[stream](cells, file.path);
    if (data === undefined) yield makeProblem(file, 'has no YouTube id', place);
    else yield makeRecord(file, stream, dropEmpty(data), place);
  });
}

type Cells = readonly (readonly [name: string, value: string])[];
const find = (cells: Cells, pattern: RegExp) => cells.find(([, value]) => pattern.test(value))?.[1];
const findAll = (cells: Cells, pattern: RegExp) =>
  cells.flatMap(([, value]) => (pattern.test(value) ? [value] : []));
const timeOf = (text: string | undefined) => readTime(text ?? '', { timeZone: 'UTC' });
const watch = (video: string | undefined) => video && `https://www.youtube.com/watch?v=${video}`;

const READERS: Readonly<
  Record<YoutubeTable, (cells: Cells, path: string) => Record<string, unknown> | undefined>
> = {
  subscriptions: (cells) => {
    const id = find(cells, CHANNEL);
    const title = cells.find(([, value]) => value !== id && !/^https?:/.test(value))?.[1];
    return id === undefined ? undefined : { id, title, url: find(cells, /^https?:/) };
  },
  comments: (cells) => {
    const [id, parent] = findAll(cells, COMMENT);
    const video = find(cells, VIDEO);
    return id === undefined
      ? undefined
      : {
          id,
          text: readSaid(find(cells, SAID)),
          video_id: video,
          url: watch(video),
          parent_id: parent,
          commented_at: timeOf(find(cells, TIME)),
        };
  },
  playlists: (cells) => {
    const id = find(cells, PLAYLIST);
    const [created, updated] = findAll(cells, TIME);
    const named = (pattern: RegExp) => cells.find(([name]) => pattern.test(name))?.[1];
    return id === undefined
      ? undefined
      : {
          id,
          title: named(/tit(?:le|re|el|ulo|olo)|título|tytuł|назван|タイトル|제목|标题|標題/i),
          visibility: named(/visib|sichtbar|privac|confiden|zichtbaar/i)?.toLowerCase(),
          created_at: timeOf(created),
          updated_at: timeOf(updated),
        };
  },
  playlist_videos: (cells, path) => {
    const video = find(cells, VIDEO);
    const playlist = (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace(/-v[ií]d[eé]os?$/i, '');
    return video === undefined
      ? undefined
      : { playlist, video_id: video, url: watch(video), added_at: timeOf(find(cells, TIME)) };
  },
};

/** Comments are JSON fragments: `{"text":"Hi "},{"text":"there"}`. */
function readSaid(cell: string | undefined): string | undefined {
  if (cell === undefined) return undefined;
  try {
    const pieces: unknown = JSON.parse(`[${cell}]`);
    return Array.isArray(pieces) ? pieces.map((one) => textOf(objectOf(one).text) ?? '').join('') : cell;
  } catch {
    return cell;
  }
}
