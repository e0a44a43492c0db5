import { declareSource, declareStream, hasMany, hasOne } from '../declare.ts';

export const googlePhotosDeclaration = declareSource('google_photos', 'Google Photos', [
  declareStream('albums', 'Albums', {
    description: 'Albums of photos and videos.',
    detail: 'Titles and dates of your albums.',
    time: 'created_at',
    relations: [hasMany('photos', 'photos', 'album_id')],
    fields: {
      id: 'text',
      title: 'text, search',
      description: 'text, search',
      access: 'text: Who may see it',
      created_at: 'time',
    },
  }),
  declareStream('photos', 'Photos', {
    description:
      'What is known about each photo and video: when, where, who is on it. Not the pictures themselves.',
    detail: 'When and where your photos were taken and who is on them, not the pictures.',
    time: 'taken_at',
    view: { label: 'Names and times', fields: ['id', 'title', 'taken_at', 'album_id'] },
    relations: [hasOne('album', 'albums', 'album_id')],
    fields: {
      id: 'text',
      title: 'text, search: The name of the file',
      description: 'text, search',
      album_id: 'text',
      taken_at: 'time',
      uploaded_at: 'time',
      people: 'list, search, sensitive: Names of people in the photo',
      latitude: 'number',
      longitude: 'number',
      altitude_meters: 'number, sensitive',
      device: 'text: Device that took or sent it',
      views: 'integer',
      url: 'text: Its page in Google Photos',
      is_favorite: 'flag',
      is_archived: 'flag',
      is_trashed: 'flag',
    },
  }),
]);
