import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, oneOf } from '../declare.ts';

export function declareScrobbles(connectorKey: string, name: string): SourceDeclaration {
  return declareSource(connectorKey, name, [
    declareStream('plays', 'Listening history', {
      description: 'Every track that was played, and when.',
      detail: 'Which tracks you played and when.',
      semantics: 'append_only',
      time: 'played_at',
      view: { label: 'Track, artist and time', fields: ['id', 'title', 'artist', 'played_at'] },
      fields: {
        id: 'text',
        title: 'text, search: Name of the track',
        artist: 'text, search',
        album: 'text, search',
        played_at: 'time, required',
        duration_ms: 'integer: Length of the track',
        url: 'text',
        player: 'text: Program or device that reported the play',
        track_mbid: 'text: MusicBrainz id of the recording',
        artist_mbid: 'text: MusicBrainz id of the artist',
        album_mbid: 'text: MusicBrainz id of the release',
      },
    }),
    declareStream('ratings', 'Loved tracks', {
      description: 'Tracks that the owner loved or hated.',
      detail: 'Which tracks you loved or hated.',
      time: 'rated_at',
      view: { label: 'Track and rating', fields: ['id', 'title', 'artist', 'rating'] },
      fields: {
        id: 'text',
        title: 'text, search: Name of the track',
        artist: 'text, search',
        rating: oneOf(['loved', 'hated']),
        track_mbid: 'text: MusicBrainz id of the recording',
        rated_at: 'time',
      },
    }),
  ]);
}
