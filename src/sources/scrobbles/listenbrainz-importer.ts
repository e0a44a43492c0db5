import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { parseExactJson, readJsonElements } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import {
  dropEmpty,
  firstText,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../values/json.ts';
import { declareScrobbles } from './scrobbles-declaration.ts';

/** A file of listens or feedback, as a JSON list or JSON Lines. */
type Part = { readonly stream: 'plays' | 'ratings'; readonly form: 'list' | 'lines' };

export const listenbrainzImporter: Importer = {
  format: 'listenbrainz',
  title: 'ListenBrainz',
  guide: {
    steps: ['Open listenbrainz.org/settings/export and choose “Create export”.', 'Download the zip.'],
    waiting: 'A few minutes.',
  },
  identity: { plays: ['played_at', 'artist', 'title'], ratings: ['track_mbid', 'title', 'artist'] },
  recognise: (files) => recogniseFiles(files, async (file) => (await findPart(file)) !== undefined),
  declare: async () => declareScrobbles('listenbrainz', 'ListenBrainz'),
  async *read({ files }) {
    const names = new Set<string>();
    for (const file of files) {
      const part = await findPart(file);
      if (part !== undefined) yield* readPart(file, part, names);
    }
  },
};

async function findPart(file: InputFile): Promise<Part | undefined> {
  const head = (await peekText(file)).trimStart();
  const form = head.startsWith('[') ? 'list' : head.startsWith('{') ? 'lines' : undefined;
  if (form === undefined) return undefined;
  if (/"track_metadata"\s*:/.test(head) && /"listened_at"\s*:/.test(head)) return { stream: 'plays', form };
  const isFeedback = /"recording_(mbid|msid)"\s*:/.test(head) && /"score"\s*:\s*-?1\b/.test(head);
  return isFeedback ? { stream: 'ratings', form } : undefined;
}

async function* readPart(file: InputFile, part: Part, names: Set<string>): AsyncGenerator<ImportItem> {
  for await (const item of part.form === 'list' ? readList(file) : readLines(file)) {
    if ('kind' in item) {
      yield item;
      continue;
    }
    const { place, value } = item;
    const user = firstText(value.user_name, value.user_id);
    if (user !== undefined && !names.has(user)) {
      names.add(user);
      yield { kind: 'self', value: user };
    }
    const data = part.stream === 'plays' ? readListen(value) : readFeedback(value);
    if (data === undefined) yield makeProblem(file, 'has no time or no name', place);
    else yield makeRecord(file, part.stream, dropEmpty(data), place);
  }
}

type Item = { readonly place: string; readonly value: JsonObject } | Extract<ImportItem, { kind: 'problem' }>;

async function* readList(file: InputFile): AsyncGenerator<Item> {
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    yield { place: `item ${Number(element.path[0]) + 1}`, value: objectOf(element.value) };
  });
}

async function* readLines(file: InputFile): AsyncGenerator<Item> {
  for await (const { number, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const place = `line ${number}`;
    const parsed = parseExactJson(text);
    if (parsed.kind === 'broken') yield makeProblem(file, parsed.reason, place);
    else yield { place, value: objectOf(parsed.value) };
  }
}

function readListen(listen: JsonObject): JsonObject | undefined {
  const track = objectOf(listen.track_metadata);
  const more = objectOf(track.additional_info);
  const mapped = objectOf(track.mbid_mapping);
  const played_at = readEpoch(listen.listened_at, 's');
  const title = textOf(track.track_name);
  if (played_at === undefined || title === undefined) return undefined;
  return {
    title,
    artist: textOf(track.artist_name),
    album: textOf(track.release_name),
    played_at,
    duration_ms: integerOf(more.duration_ms),
    url: textOf(more.origin_url),
    player: firstText(more.media_player, more.submission_client),
    track_mbid: firstText(more.recording_mbid, mapped.recording_mbid),
    artist_mbid: firstText(listOf(more.artist_mbids)[0], listOf(mapped.artist_mbids)[0]),
    album_mbid: firstText(more.release_mbid, mapped.release_mbid),
  };
}

function readFeedback(feedback: JsonObject): JsonObject | undefined {
  const track = objectOf(feedback.track_metadata);
  const track_mbid = textOf(feedback.recording_mbid);
  const score = integerOf(feedback.score);
  if (score !== 1 && score !== -1) return undefined;
  return {
    title: textOf(track.track_name),
    artist: textOf(track.artist_name),
    rating: score === 1 ? 'loved' : 'hated',
    track_mbid,
    rated_at: readEpoch(feedback.created, 's'),
  };
}
