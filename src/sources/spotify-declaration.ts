import {
  declareSource,
  describeObject,
  flag,
  integer,
  oneOf,
  selection,
  text,
  textOrNull,
  time,
} from './declare.ts';

export const playDevices = ['phone', 'laptop', 'speaker', 'car'] as const;

export const spotifyDeclaration = declareSource('spotify', 'Spotify', [
  {
    name: 'plays',
    description: 'Every track that was played, with when, where and for how long.',
    display: { label: 'Listening history', detail: 'Which tracks you played, when and on which device.' },
    semantics: 'append_only',
    schema: describeObject(['id', 'played_at'], {
      id: text(),
      title: text('Name of the track'),
      artist: text(),
      album: text(),
      genre: text(),
      track_id: text(),
      played_at: time(),
      duration_ms: integer('Length of the track'),
      played_ms: integer('How long it was listened to'),
      is_skipped: flag(),
      device: oneOf(playDevices),
      playlist: textOrNull('Name of the playlist it was played from'),
    }),
    primary_key: ['id'],
    cursor_field: 'played_at',
    consent_time_field: 'played_at',
    selection,
    views: [{ id: 'basic', label: 'Track, artist and time', fields: ['id', 'title', 'artist', 'played_at'] }],
    query: { search: { lexical_fields: ['title', 'artist', 'album', 'playlist'] } },
  },
]);
