import { declareSource, declareStream, type Fields, hasMany, hasOne } from '../declare.ts';

const stay: Fields = { starts_at: 'time', ends_at: 'time' };
const probability = 'number: How sure Google is, from 0 to 1';

export const googleLocationDeclaration = declareSource('google_location', 'Google Timeline', [
  declareStream('visits', 'Places visited', {
    description: 'Stays at places: where, from when to when.',
    detail: 'Where you were, from when to when.',
    semantics: 'append_only',
    time: 'starts_at',
    isSensitive: true,
    view: { label: 'Where and when', fields: ['id', 'name', 'starts_at', 'ends_at'] },
    relations: [hasOne('place', 'places', 'place_id')],
    fields: {
      id: 'text',
      name: 'text, search: Name of the place, or what it is to the owner: home, work',
      address: 'text, search',
      ...stay,
      semantic_type: 'text, search: What the place is to the owner',
      place_id: 'text: Google’s id of the place',
      latitude: 'number',
      longitude: 'number',
      probability,
    },
  }),
  declareStream('trips', 'Trips', {
    description: 'Movements between places: means of transport, distance, start and end.',
    detail: 'Your movements between places, with start, end and distance.',
    semantics: 'append_only',
    time: 'starts_at',
    isSensitive: true,
    view: { label: 'How and when', fields: ['id', 'activity', 'starts_at', 'distance_meters'] },
    fields: {
      id: 'text',
      activity: 'text, search: How: walking, in passenger vehicle, cycling, …',
      ...stay,
      distance_meters: 'number',
      start_latitude: 'number',
      start_longitude: 'number',
      end_latitude: 'number',
      end_longitude: 'number',
      path: 'list: Points along the route, as latitude,longitude',
      probability,
    },
  }),
  declareStream('points', 'Positions', {
    description: 'Single positions of the phone.',
    detail: 'Where your phone was, minute by minute.',
    semantics: 'append_only',
    time: 'recorded_at',
    isSensitive: true,
    fields: {
      id: 'text',
      recorded_at: 'time',
      latitude: 'number',
      longitude: 'number',
      accuracy_meters: 'number',
      altitude_meters: 'number',
      speed_meters_per_second: 'number',
      activity: 'text, search: Detected by the phone: still, walking, in vehicle, …',
      source: 'text: How it was found: GPS, WIFI, CELL',
      device: 'integer: Number of the owner’s device',
    },
  }),
  declareStream('places', 'Frequent places', {
    description: 'Places that matter to the owner, such as home and work.',
    detail: 'Your home, your work and other places you go to often.',
    isSensitive: true,
    relations: [hasMany('visits', 'visits', 'place_id')],
    fields: { id: 'text', name: 'text, search', latitude: 'number', longitude: 'number' },
  }),
]);
