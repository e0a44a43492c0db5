import { createRandom, type Random } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { listRuns } from './health.ts';
import { createId, createLine } from './line.ts';
import { addSeconds, at, date, instant, type Moment } from './moment.ts';
import { PLAYLISTS, type Playlist, TRACKS, type Track } from './tracks.ts';
import { isFamilyAway, isInOffice, isInSpain, WEEKS } from './weeks.ts';

const CONNECTION = 'spotify_nora';

type Device = 'phone' | 'laptop' | 'speaker' | 'car';

/** What was played, and the playlists. */
export function createMusic(): DemoLine[] {
  const random = createRandom(1, 'music');
  const plays = [
    ...WEEKS.flatMap((week) => playWeek(week, random)),
    ...listRuns().flatMap(({ start, minutes }) =>
      playSession('Running', start, Math.ceil(minutes / 9), 'phone', random),
    ),
  ];
  return [...plays, ...PLAYLISTS.flatMap(createPlaylist)];
}

/** Music for work in the morning, in the kitchen in the evening, and what Mila wants on Sunday. */
function playWeek(week: number, random: Random): DemoLine[] {
  const plays: DemoLine[] = [];
  for (const day of [1, 4])
    if (isInOffice(week, day))
      plays.push(
        ...playSession('Focus', at(week, day, `10:5${random.int(0, 9)}`), random.int(2, 4), 'laptop', random),
      );
  for (const day of [1, 6])
    if (!isFamilyAway(week, day)) {
      const start = at(week, day, `18:${random.int(10, 50)}`);
      plays.push(...playSession(findEveningPlaylist(week), start, random.int(3, 5), 'speaker', random));
    }
  if (!isFamilyAway(week, 7))
    plays.push(...playSession('Mila', at(week, 7, '10:20'), random.int(2, 3), 'speaker', random));
  if (isInSpain(week, 7)) plays.push(...playSession('Valencia', at(week, 7, '12:30'), 6, 'car', random));
  if (isInSpain(week, 3)) plays.push(...playSession('Valencia', at(week, 3, '19:40'), 5, 'phone', random));
  return plays;
}

/** The year has its phases: before the holidays Spanish songs, before the concert Mahler. */
function findEveningPlaylist(week: number): string {
  if (week >= -24 && week < -18) return 'Valencia';
  if (week >= -13 && week < -8) return week % 2 === 0 ? 'Mahler' : 'Kitchen';
  return 'Kitchen';
}

function playSession(list: string, start: Moment, count: number, device: Device, random: Random): DemoLine[] {
  const playlist = PLAYLISTS.find(({ name }) => name === list) as Playlist;
  const tracks = TRACKS.filter(({ playlists }) => playlists.includes(list));
  const seed = random.int(0, tracks.length - 1);
  let when = start;
  return Array.from({ length: Math.min(count, tracks.length) }, (_, index) => {
    // Favourites stand first in the list and are played most.
    const offset = index === 0 ? random.zipf(tracks.length) : seed + index * 3;
    const track = tracks[offset % tracks.length] as Track;
    const isSkipped = random.chance(0.07);
    const played = isSkipped ? random.int(8, 40) : track.seconds;
    const line = createPlay(track, playlist.name, when, played, device);
    when = addSeconds(when, played + 2);
    return line;
  });
}

function createPlay(track: Track, playlist: string, when: Moment, played: number, device: Device): DemoLine {
  const end = addSeconds(when, played);
  return createLine(CONNECTION, 'plays', end, {
    id: createId('play', track.title, when.week, when.day, when.seconds),
    title: track.title,
    artist: track.artist,
    album: track.album,
    genre: track.genre,
    track_id: createId('track', track.artist, track.title),
    played_at: instant(when),
    duration_ms: track.seconds * 1_000,
    played_ms: played * 1_000,
    is_skipped: played < track.seconds,
    device,
    playlist,
    kind: 'track',
  });
}

function createPlaylist({ name, description, changed }: Playlist): DemoLine[] {
  const tracks = TRACKS.filter(({ playlists }) => playlists.includes(name));
  const id = createId('playlist', name);
  const day = at(changed, 6, '12:00');
  return [
    createLine(CONNECTION, 'playlists', day, {
      id,
      name,
      description,
      track_count: tracks.length,
      follower_count: 0,
      changed_on: date(day),
    }),
    ...tracks.map(({ title, artist, album }, index) =>
      createLine(CONNECTION, 'playlist_tracks', day, {
        id: createId('playlist track', name, title),
        playlist_id: id,
        title,
        artist,
        album,
        track_id: createId('track', artist, title),
        position: index + 1,
        added_on: date(day),
      }),
    ),
  ];
}
