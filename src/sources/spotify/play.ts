import { booleanOf, dropEmpty, firstString, type JsonObject, stringOf } from '../values/json.ts';
import { createJsonFieldReader, findIn } from '../values/read-fields.ts';
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

const readFields = createJsonFieldReader(spotifyDeclaration, 'plays');

/** Reads a play of any export version; undefined without a time. The IP address is not imported. */
export function readPlay(value: JsonObject): JsonObject | undefined {
  const data = readFields(findIn(value));
  const { skipped } = value;
  if (data.played_at === undefined) return undefined;
  return dropEmpty({
    ...data,
    ...readTitles(value),
    is_skipped: typeof skipped === 'number' ? skipped > 0 : booleanOf(skipped),
    device: DEVICES.find(([pattern]) => pattern.test(stringOf(value.platform) ?? ''))?.[1],
  });
}

function readTitles(value: JsonObject): Record<string, unknown> {
  const episode = firstString(value.episode_name, value.episodeName);
  const show = firstString(value.episode_show_name, value.podcastName);
  const book = firstString(value.audiobook_title, value.audiobookName);
  const track = firstString(value.master_metadata_track_name, value.trackName);
  if (track === undefined && (episode !== undefined || show !== undefined))
    return {
      kind: 'episode',
      title: episode,
      show,
      artist: show,
      track_id: idOf(value, 'spotify_episode_uri'),
    };
  if (track === undefined && book !== undefined) {
    const title = firstString(value.audiobook_chapter_title, value.chapterName) ?? book;
    const author = firstString(value.authorName, value.audiobook_author_name);
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
    artist: firstString(value.master_metadata_album_artist_name, value.artistName),
    album: stringOf(value.master_metadata_album_album_name),
    track_id: idOf(value, 'spotify_track_uri'),
  };
}

/** Returns the last part of `spotify:track:3aJ2aJz5xL03hpaqdPS7Ah`. */
export function idOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  return firstString(...names.map((name) => value[name]))?.replace(
    /^spotify:(track|episode|album|artist|show|chapter):/,
    '',
  );
}
