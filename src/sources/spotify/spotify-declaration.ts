import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';

export const playDevices = ['phone', 'laptop', 'speaker', 'car'] as const;

const playKinds = ['track', 'episode', 'audiobook'] as const;

export const spotifyDeclaration = declareSource('spotify', 'Spotify', [
  declareStream('plays', 'Listening history', {
    description: 'Every track that was played, with when, where and for how long.',
    detail: 'Which tracks you played, when and on which device.',
    semantics: 'append_only',
    time: 'played_at',
    view: { label: 'Track, artist and time', fields: ['id', 'title', 'artist', 'played_at'] },
    fields: {
      id: 'text',
      title: 'text, search: Name of the track',
      artist: 'text, search',
      album: 'text, search',
      genre: 'text',
      track_id: 'text',
      played_at: 'time, required < ts|endTime',
      duration_ms: 'integer: Length of the track',
      played_ms: 'integer < ms_played|msPlayed: How long it was listened to',
      is_skipped: 'flag',
      device: oneOf(playDevices),
      playlist: 'text or null, search: Name of the playlist it was played from',
      kind: oneOf(playKinds),
      show: 'text, search: Podcast or audiobook that contains it',
      platform: 'text < platform: As Spotify names the device',
      country: 'text < conn_country: ISO 3166 code of where it was played',
      reason_start: 'text < reason_start: Why it began, such as clickrow or trackdone',
      reason_end: 'text < reason_end: Why it ended, such as trackdone or fwdbtn',
      is_shuffled: 'flag < shuffle',
      is_offline: 'flag < offline',
      is_incognito: 'flag < incognito_mode: Played in a private session',
    },
  }),
  declareStream('playlists', 'Playlists', {
    description: 'Playlists the owner made or follows.',
    detail: 'Names and descriptions of your playlists.',
    time: 'changed_on',
    relations: [hasMany('tracks', 'playlist_tracks', 'playlist_id')],
    fields: {
      id: 'text',
      name: 'text, search',
      description: 'text, search',
      track_count: 'integer',
      follower_count: 'integer',
      changed_on: 'date',
    },
  }),
  declareStream('playlist_tracks', 'Tracks of playlists', {
    description: 'What is on the playlists, in their order.',
    detail: 'Which tracks are on your playlists.',
    time: 'added_on',
    relations: [hasOne('playlist', 'playlists', 'playlist_id')],
    fields: {
      id: 'text',
      playlist_id: 'text, required',
      title: 'text, search',
      artist: 'text, search',
      album: 'text, search',
      track_id: 'text',
      position: 'integer: Counted from 1',
      added_on: 'date',
    },
  }),
  declareStream('library', 'Library', {
    description: 'Tracks, albums, artists, shows and episodes that were saved, or banned.',
    detail: 'What you saved in your library.',
    fields: {
      id: 'text',
      kind: 'text: Such as tracks, albums, artists, shows, episodes',
      title: 'text, search',
      artist: 'text, search',
      album: 'text, search',
      track_id: 'text',
    },
  }),
  declareStream('searches', 'Searches', {
    description: 'What was typed into the search of Spotify.',
    detail: 'What you searched for, when and on which device.',
    semantics: 'append_only',
    time: 'searched_at',
    fields: { id: 'text', query: 'text, search', searched_at: 'time, required', platform: 'text' },
  }),
]);
