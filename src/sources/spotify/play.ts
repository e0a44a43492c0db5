import { readTime } from '../../import/read/read-time.ts';
import { dropEmpty, firstText, flagOf, integerOf, type JsonObject, textOf } from '../values/json.ts';

/** All times are UTC, also without a zone. */
const UTC = { timeZone: 'UTC' };

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

/** Reads a play of any export version; undefined without a time. The IP address is not imported. */
export function readPlay(value: JsonObject): Record<string, unknown> | undefined {
  const written = firstText(value.ts, value.endTime);
  const played_at = written === undefined ? undefined : readTime(written, UTC);
  if (played_at === undefined) return undefined;
  const platform = textOf(value.platform);
  const skipped = value.skipped;
  return dropEmpty({
    ...readWhat(value),
    played_at,
    played_ms: integerOf(value.ms_played ?? value.msPlayed),
    is_skipped:
      typeof skipped === 'boolean' ? skipped : typeof skipped === 'number' ? skipped > 0 : undefined,
    device: DEVICES.find(([pattern]) => pattern.test(platform ?? ''))?.[1],
    platform,
    country: textOf(value.conn_country),
    reason_start: textOf(value.reason_start),
    reason_end: textOf(value.reason_end),
    is_shuffled: flagOf(value.shuffle),
    is_offline: flagOf(value.offline),
    is_incognito: flagOf(value.incognito_mode),
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
