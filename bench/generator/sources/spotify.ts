import { playDevices, spotifyDeclaration } from '../../../src/sources/spotify/spotify-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import { createRandom, type Random } from '../random.ts';
import { createCatalog, playlists, type Track } from '../texts/catalog.ts';
import {
  countYears,
  createTimeline,
  eveningHours,
  writeEmittedAt,
  writeIso,
  writeLocalIso,
} from '../timeline.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';

export const spotify: GeneratedSource = {
  declaration: spotifyDeclaration,
  connections: [{ connection_id: 'spotify', connector_key: 'spotify', display_name: 'Spotify' }],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'spotify');
    yield* createBatches('spotify', 'plays', createLines(random, createCatalog(seed), records, until));
  },
};

interface Session {
  playlist: string | null;
  device: (typeof playDevices)[number];
  left: number;
}

function* createLines(
  random: Random,
  catalog: Track[][],
  records: number,
  until: Date,
): Generator<GeneratedLine> {
  const timeline = createTimeline(until, countYears(records, 3_500), eveningHours);
  let session = openSession(random, timeline.start);
  for (let index = 0; index < records; index++) {
    const at = timeline.at((index + random.next()) / records);
    if (session.left-- === 0) session = openSession(random, at);
    // Tastes change: the favourite artists of one year come a few places later the year before.
    const shift = Math.floor((index / records) * timeline.years) * 5;
    const artist = catalog[(random.zipf(catalog.length) + shift) % catalog.length] as Track[];
    const track = artist[random.zipf(artist.length)] as Track;
    const is_skipped = random.chance(0.15);
    const id = `${(at / 1000 - 1_000_000_000).toString(36).slice(0, 6)}${index.toString(36).padStart(5, '0')}`;
    const data = {
      id,
      title: findHostileText(index, records) ?? track.title,
      artist: track.artist,
      album: track.album,
      genre: track.genre,
      track_id: track.id,
      played_at: random.chance(0.03) ? writeLocalIso(at) : writeIso(at),
      duration_ms: track.duration_ms,
      played_ms: is_skipped ? Math.floor(track.duration_ms * random.next() * 0.4) : track.duration_ms,
      is_skipped,
      device: session.device,
      playlist: session.playlist,
    };
    yield { key: id, data, emitted_at: writeEmittedAt(at) };
  }
}

function openSession(random: Random, at: number): Session {
  const hour = Math.floor((at % 86_400_000) / 3_600_000);
  const fitting = playlists[hour < 10 ? 0 : hour < 17 ? 1 : 2] as readonly string[];
  const playlist = random.chance(0.6) ? random.pick(fitting) : null;
  return { playlist, device: random.pick(playDevices), left: random.int(2, 14) };
}
