import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { isObject, type JsonObject, stringOf } from '../values/json.ts';
import { wordList } from '../values/words.ts';
import { readPlay } from './play.ts';
import { createCounter, readPlaylist, readSaved, readSearch } from './saved.ts';
import { spotifyDeclaration } from './spotify-declaration.ts';

type Part = 'extended' | 'history' | 'playlists' | 'library' | 'searches' | 'user';

export const spotifyImporter: Importer = {
  format: 'spotify',
  title: 'Spotify',
  fillsArchive: true,
  guide: {
    steps: [
      'Open spotify.com/account/privacy and sign in.',
      'Under Download your data tick Extended streaming history, and Account data as well.',
      'Choose Request data and confirm in the email you receive.',
      'Download the zip from the second email.',
    ],
    waiting: 'Account data about 5 days, the extended history up to 30 days.',
    choose:
      'The extended history: it goes back to the first song. Account data has one year, playlists and the library.',
  },
  identity: {
    plays: ['played_at', 'played_ms', 'title', 'artist', 'show', 'track_id'],
    searches: ['query', 'searched_at'],
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await findPart(file)) !== undefined),
  declare: async () => spotifyDeclaration,
  read,
};

const LIBRARY = wordList('tracks|albums|shows|episodes|artists|bannedTracks|bannedArtists|other');
const PATHS: Readonly<Record<Part, readonly string[]>> = {
  extended: ['*'],
  history: ['*'],
  playlists: ['playlists.*'],
  library: LIBRARY.map((name) => `${name}.*`),
  searches: ['*'],
  user: [''],
};

async function findPart(file: InputFile): Promise<Part | undefined> {
  const head = await peekText(file);
  const has = (...names: string[]) => names.every((name) => new RegExp(`"${name}"\\s*:`).test(head));
  if (/^\s*\[/.test(head)) {
    if (has('ts', 'ms_played')) return 'extended';
    if (has('endTime', 'msPlayed')) return 'history';
    return has('searchTime', 'searchQuery') ? 'searches' : undefined;
  }
  if (!/^\s*\{/.test(head)) return undefined;
  if (has('playlists', 'lastModifiedDate')) return 'playlists';
  // The lists follow one another, and the first may fill the probed text.
  if (has('tracks') && (has('albums', 'bannedTracks') || has('albums', 'bannedArtists') || hasSaved(head)))
    return 'library';
  return has('username', 'createdFromFacebook') ? 'user' : undefined;
}

/** Returns whether the text has items of `YourLibrary.json`. */
const hasSaved = (head: string) =>
  /^\s*\{\s*"(?:tracks|albums|shows|episodes|artists)"/.test(head) && /"uri"\s*:\s*"spotify:/.test(head);

async function* read({ files }: Recognised): AsyncGenerator<ImportItem> {
  const parts = await Promise.all(files.map(findPart));
  const names = new Set<string>();
  const countName = createCounter();
  for (const [index, file] of files.entries()) {
    const part = parts[index];
    if (part === undefined) yield makeProblem(file, 'is not part of a Spotify export');
    else if (part === 'history' && parts.includes('extended'))
      yield makeProblem(file, 'was skipped: the extended history has the same plays');
    else yield* readFile(file, part, names, countName);
  }
}

async function* readFile(
  file: InputFile,
  part: Part,
  names: Set<string>,
  countName: (name: string) => number,
): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, PATHS[part]), function* ({ path, value }) {
    const place = `item ${Number(path.at(-1) ?? 0) + 1}`;
    const user = isObject(value) ? stringOf(value.username) : undefined;
    if (user !== undefined && !names.has(user)) {
      names.add(user);
      yield { kind: 'self', value: user };
    }
    if (part === 'user') return;
    // Items of the list `other` are bare URIs.
    const item = typeof value === 'string' && part === 'library' ? { uri: value } : value;
    const records = isObject(item) ? makeRecords(part, item, String(path[0]), countName) : [];
    if (records.length === 0) yield makeProblem(file, 'has no time or no name', place);
    for (const { stream, data } of records) yield makeRecord(file, stream, data, place);
  });
}

function makeRecords(part: Part, value: JsonObject, list: string, countName: (name: string) => number) {
  if (part === 'playlists') return readPlaylist(value, countName);
  const [stream, data] =
    part === 'library'
      ? (['library', readSaved(value, list)] as const)
      : part === 'searches'
        ? (['searches', readSearch(value)] as const)
        : (['plays', readPlay(value)] as const);
  return data === undefined ? [] : [{ stream, data }];
}
