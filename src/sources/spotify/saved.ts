import { hashKey } from '../../import/make-key.ts';
import { readDay, readTime } from '../../import/read/read-time.ts';
import {
  dropEmpty,
  firstString,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  roundedOf,
  stringOf,
} from '../values/json.ts';
import { idOf } from './play.ts';

interface SpotifyRecord {
  readonly stream: string;
  readonly data: Record<string, unknown>;
}

/** Reads a playlist with its tracks. The name is its only key; `countName` counts earlier playlists with that name. */
export function readPlaylist(value: JsonObject, countName: (name: string) => number): SpotifyRecord[] {
  const name = stringOf(value.name);
  if (name === undefined) return [];
  const id = hashKey(name, countName(name));
  // Until 2020 tracks were not wrapped.
  const items = [...listOf(value.items), ...listOf(value.tracks)];
  const playlist = dropEmpty({
    id,
    name,
    description: stringOf(value.description),
    track_count: items.length,
    follower_count: roundedOf(value.numberOfFollowers),
    changed_on: readDay(stringOf(value.lastModifiedDate) ?? ''),
  });
  const countTrack = createCounter();
  const tracks = items.map((item, index) => {
    const track = isObject(item) ? readItem(item) : {};
    const own = String(track.track_id ?? track.title ?? '');
    const data = dropEmpty({
      id: hashKey(id, own, countTrack(own)),
      playlist_id: id,
      ...track,
      position: index + 1,
    });
    return { stream: 'playlist_tracks', data };
  });
  return [{ stream: 'playlists', data: playlist }, ...tracks];
}

/** Counts earlier occurrences. */
export function createCounter(): (name: string) => number {
  const seen = new Map<string, number>();
  return (name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before;
  };
}

function readItem(item: JsonObject): Record<string, unknown> {
  const added_on = readDay(stringOf(item.addedDate) ?? '');
  const track = objectOf(item.track);
  const other = [objectOf(item.episode), objectOf(item.audiobook), objectOf(item.localTrack)].find(
    (one) => Object.keys(one).length > 0,
  );
  const one = Object.keys(track).length > 0 ? track : (other ?? item);
  return {
    title: firstString(one.trackName, one.episodeName, one.audiobookName, one.name) ?? localName(one),
    artist: firstString(one.artistName, one.showName, one.authorName),
    album: stringOf(one.albumName),
    track_id: idOf(one, 'trackUri', 'episodeUri', 'uri'),
    added_on,
  };
}

/** Local files have only a URI: `spotify:local:Artist:Album:Title:180`. */
function localName(one: JsonObject): string | undefined {
  const parts = stringOf(one.uri)?.split(':') ?? [];
  if (parts[1] !== 'local') return undefined;
  try {
    return decodeURIComponent((parts[4] ?? '').replaceAll('+', ' '));
  } catch {
    return parts[4];
  }
}

/** Reads a saved item; `list` is tracks, albums, shows and so on. */
export function readSaved(value: JsonObject, list: string): Record<string, unknown> | undefined {
  const title = firstString(value.track, value.name, value.title) ?? firstString(value.album, value.artist);
  const track_id = idOf(value, 'uri');
  if (title === undefined && track_id === undefined) return undefined;
  return dropEmpty({
    id: track_id === undefined ? undefined : `${list}-${track_id}`,
    kind: list,
    title,
    artist: firstString(value.artist, value.publisher, value.show),
    album: stringOf(value.album),
    track_id,
  });
}

export function readSearch(value: JsonObject): Record<string, unknown> | undefined {
  // `2024-01-02T03:04:05.678Z[UTC]`: the brackets repeat the zone.
  const written = stringOf(value.searchTime)?.replace(/\[.*\]$/, '');
  const searched_at = written === undefined ? undefined : readTime(written, { timeZone: 'UTC' });
  if (searched_at === undefined) return undefined;
  return dropEmpty({ query: stringOf(value.searchQuery), searched_at, platform: stringOf(value.platform) });
}
