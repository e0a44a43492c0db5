import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { declareSource, declareStream, type Fields, oneOf } from '../declare.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { readFileByFile } from '../files/recognise-files.ts';
import { dropEmpty, integerOf, type JsonObject, objectOf, textOf, timeOf } from '../values/json.ts';

const work: Fields = {
  title: 'text: Of the film or the episode',
  kind: oneOf(['movie', 'episode', 'season', 'show']),
  year: 'integer: When it came out',
  series: 'text',
  season: 'integer',
  episode: 'integer: Number within the season',
  imdb_id: 'text',
  trakt_id: 'text',
};

const traktDeclaration = declareSource('trakt', 'Trakt', [
  declareStream('viewing', 'Watched', {
    description: 'Films and episodes that were watched, one record for each time.',
    detail: 'Which films and episodes you watched and when.',
    semantics: 'append_only',
    time: 'watched_at',
    view: { label: 'Title and time', fields: ['id', 'title', 'series', 'watched_at'] },
    search: ['title', 'series'],
    fields: { id: 'text', ...work, action: 'text', watched_at: 'time' },
  }),
  declareStream('ratings', 'Ratings', {
    description: 'Ratings of films, series and episodes, 1 to 10.',
    detail: 'How you rated films and series.',
    time: 'rated_at',
    view: { label: 'Title and rating', fields: ['id', 'title', 'series', 'rating'] },
    search: ['title', 'series'],
    fields: { id: 'text', ...work, rating: 'integer: 1 to 10', rated_at: 'time' },
  }),
  declareStream('listed', 'Lists', {
    description: 'Films and series on the watchlist and on lists of the owner.',
    detail: 'What you want to watch, and lists you made.',
    time: 'listed_at',
    view: { label: 'Title and list', fields: ['id', 'title', 'series', 'list'] },
    search: ['title', 'series', 'note'],
    fields: {
      id: 'text',
      ...work,
      list: 'text: Name of the list',
      note: 'text',
      listed_at: 'time',
    },
  }),
]);

type Stream = 'viewing' | 'ratings' | 'listed';

/** The time fields that identify the stream of a list. */
const STREAM_FIELDS: readonly (readonly [field: string, stream: Stream])[] = [
  ['watched_at', 'viewing'],
  ['rated_at', 'ratings'],
  ['listed_at', 'listed'],
];

export const traktImporter: Importer = {
  format: 'trakt',
  title: 'Trakt',
  guide: {
    steps: ['Open trakt.tv/settings/data and choose “Export now”.', 'Download the zip from the mail.'],
    waiting: 'A few minutes.',
  },
  identity: {
    viewing: ['watched_at', 'kind', 'trakt_id', 'title'],
    ratings: ['kind', 'trakt_id', 'title'],
    listed: ['list', 'kind', 'trakt_id', 'title'],
  },
  ...readFileByFile(async (file) => {
    const stream = await findStream(file);
    return stream && ((options) => readFile(file, stream, options));
  }),
  declare: async () => traktDeclaration,
};

async function findStream(file: InputFile): Promise<Stream | undefined> {
  const head = await peekText(file);
  if (!/^\s*\[\s*\{/.test(head) || !/"ids"\s*:\s*\{[^}]*"trakt"\s*:/.test(head)) return undefined;
  return STREAM_FIELDS.find(([field]) => head.includes(`"${field}"`))?.[1];
}

async function* readFile(
  file: InputFile,
  stream: Stream,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const list = file.path
    .split('/')
    .at(-1)
    ?.replace(/\.json$/i, '');
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const place = `item ${Number(element.path[0]) + 1}`;
    const item = objectOf(element.value);
    const work = readWork(item);
    if (work.title === undefined && work.series === undefined)
      yield makeProblem(file, 'has no film or series', place);
    else {
      const data = dropEmpty({ ...work, ...readActivityFields(item, stream, list, options) });
      yield makeRecord(file, stream, data, place);
    }
  });
}

function readActivityFields(
  item: JsonObject,
  stream: Stream,
  list: string | undefined,
  options: ImportOptions,
): JsonObject {
  const id = textOf(item.id);
  if (stream === 'viewing')
    return { id, action: textOf(item.action), watched_at: timeOf(item.watched_at, options) };
  if (stream === 'ratings')
    return { rating: integerOf(item.rating), rated_at: timeOf(item.rated_at, options) };
  return { id, list, note: textOf(item.notes), listed_at: timeOf(item.listed_at, options) };
}

function readWork(item: JsonObject): JsonObject {
  const [movie, show, season, episode] = [item.movie, item.show, item.season, item.episode].map(objectOf) as [
    JsonObject,
    JsonObject,
    JsonObject,
    JsonObject,
  ];
  const own =
    item.movie !== undefined
      ? movie
      : item.episode !== undefined
        ? episode
        : item.season !== undefined
          ? season
          : show;
  const ids = objectOf(own.ids);
  return {
    kind: ['movie', 'episode', 'season', 'show'].find((name) => name === item.type || item[name] === own),
    title: textOf(own.title),
    year: integerOf(movie.year ?? show.year),
    series: textOf(show.title),
    season: integerOf(episode.season ?? season.number),
    episode: integerOf(episode.number),
    imdb_id: textOf(ids.imdb),
    trakt_id: textOf(ids.trakt),
  };
}
