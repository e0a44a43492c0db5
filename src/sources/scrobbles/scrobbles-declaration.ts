import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, describeObject, integer, oneOf, selection, text, time } from '../declare.ts';

/** What a service that counts plays offers: every play, and which tracks were loved. */
export function declareScrobbles(connectorKey: string, name: string): SourceDeclaration {
  return declareSource(connectorKey, name, [
    {
      name: 'plays',
      description: 'Every track that was played, and when.',
      display: { label: 'Listening history', detail: 'Which tracks you played and when.' },
      semantics: 'append_only',
      schema: describeObject(['id', 'played_at'], {
        id: text(),
        title: text('Name of the track'),
        artist: text(),
        album: text(),
        played_at: time(),
        duration_ms: integer('Length of the track'),
        url: text(),
        player: text('Program or device that reported the play'),
        track_mbid: text('MusicBrainz id of the recording'),
        artist_mbid: text('MusicBrainz id of the artist'),
        album_mbid: text('MusicBrainz id of the release'),
      }),
      primary_key: ['id'],
      cursor_field: 'played_at',
      consent_time_field: 'played_at',
      selection,
      views: [
        { id: 'basic', label: 'Track, artist and time', fields: ['id', 'title', 'artist', 'played_at'] },
      ],
      query: { search: { lexical_fields: ['title', 'artist', 'album'] } },
    },
    {
      name: 'ratings',
      description: 'Tracks that the owner loved or hated.',
      display: { label: 'Loved tracks', detail: 'Which tracks you loved or hated.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        title: text('Name of the track'),
        artist: text(),
        rating: oneOf(['loved', 'hated']),
        track_mbid: text('MusicBrainz id of the recording'),
        rated_at: time(),
      }),
      primary_key: ['id'],
      cursor_field: 'rated_at',
      consent_time_field: 'rated_at',
      selection,
      views: [{ id: 'basic', label: 'Track and rating', fields: ['id', 'title', 'artist', 'rating'] }],
      query: { search: { lexical_fields: ['title', 'artist'] } },
    },
  ]);
}
