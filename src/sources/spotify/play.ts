import { dropEmpty, firstText, flagOf, type JsonObject, textOf } from '../values/json.ts';
import { createFieldReader, findIn } from '../values/read-fields.ts';
import { spotifyDeclaration } from './spotify-declaration.ts';

/** Devices by platform name. */
const DEVICES: readonly (readonly [RegExp, string])[] = [
  [/\bcar\b|carplay|android_?auto|tesla|automotive/i, 'car'],
  [
    /sonos|google_?cast|chromecast|echo|alexa|amazon_|homepod|speaker|bose|denon|partner.*(audio|receiver)/i,
    'speaker',
  ],
  [/android|ios|iphone|ipod|windows ?phone/i, 'phone'],
  [/windows|os ?x|mac|linux|web_?player|browser/i, 'laptop'],
];

const readFields = createFieldReader(spotifyDeclaration, 'plays');

/** Reads a play of any export version; undefined without a time. The IP address is not imported. */
export function readPlay(value: JsonObject): JsonObject | undefined {
  const data = readFields(findIn(value));
  const { skipped } = value;
  if (data.played_at === undefined) return undefined;
  return dropEmpty({
    ...data,
    ...readWhat(value),
    is_skipped: typeof skipped === 'number' ? skipped > 0 : flagOf(skipped),
    device: DEVICES.find(([pattern]) => pattern.test(textOf(value.platform) ?? ''))?.[1],
  });
}

function readWhat(value: JsonObject): Record<string, unknown> {
  const episode = firstText(value.episode_name, value.episodeName);
  const show = firstText(value.episode_show_name, value.podcastName);
  const book = firstText(value.audiobook_title, value.audiobookName);
  const track = firstText(value.master_metadata_track_name, value.trackName);
  if (track === undefined && (episode !== undefined || show !== undefined))
    return {
      kind: 'episode',
      title: episode,
      show,
      artist: show,
      track_id: idOf(value, 'spotify_episode_uri'),
    };
  if (track === undefined && book !== undefined) {
    const title = firstText(value.audiobook_chapter_title, value.chapterName) ?? book;
    const author = firstText(value.authorName, value.audiobook_author_name);
    return {
      kind: 'audiobook',
      title,
      show: book,
      artist: author,
      track_id: idOf(value, 'audiobook_chapter_uri', 'audiobook_uri'),
    };
  }
  return {
    kind: 'track',
    title: track,
    artist: firstText(value.master_metadata_album_artist_name, value.artistName),
    album: textOf(value.master_metadata_album_album_name),
    track_id: idOf(value, 'spotify_track_uri'),
  };
}

/** Returns the last part of `spotify:track:3aJ2aJz5xL03hpaqdPS7Ah`. */
export function idOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  return firstText(...names.map((name) => value[name]))?.replace(
    /^spotify:(track|episode|album|artist|show|chapter):/,
    '',
  );
}
