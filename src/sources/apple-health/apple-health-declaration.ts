import { declareSource, describeObject, number, selection, text, textOrNull, time } from '../declare.ts';
import { healthStreams } from './health-streams.ts';

export const sampleTypes = [
  'heart_rate',
  'steps',
  'active_energy',
  'distance_walking',
  'sleep',
  'resting_heart_rate',
  'workout',
  'body_mass',
] as const;

const metadata = {
  type: 'object',
  description: 'What the app noted beside it',
  properties: { is_indoor: { type: 'boolean' }, was_entered_by_hand: { type: 'boolean' } },
};

export const appleHealthDeclaration = declareSource('apple_health', 'Apple Health', [
  {
    name: 'samples',
    description: 'Single measurements of watch, phone and scale: one value over one stretch of time.',
    display: {
      label: 'Health samples',
      detail: 'Heart rate, steps, sleep, workouts and weight as your devices measured them.',
    },
    semantics: 'append_only',
    schema: describeObject(['id', 'started_at'], {
      id: text(),
      type: text(`Such as ${sampleTypes.slice(0, 7).join(', ')}, or any other that Apple knows`),
      value: number(),
      unit: text('Such as count/min, count, kcal, km, h, min, kg'),
      started_at: time(),
      ended_at: time(),
      device: text(),
      note: textOrNull('What the owner wrote about a workout or a night'),
      metadata,
      state: text('What was noted where it is no number, such as asleep_deep'),
      device_model: text(),
      device_version: text('Of the app or system that measured'),
      recorded_at: time(),
      beats: { type: 'array', description: 'Single heart beats of a measurement', items: { type: 'object' } },
    }),
    primary_key: ['id'],
    cursor_field: 'started_at',
    consent_time_field: 'started_at',
    selection,
    views: [
      { id: 'basic', label: 'Kind, value and time', fields: ['id', 'type', 'value', 'unit', 'started_at'] },
    ],
    query: { search: { lexical_fields: ['note', 'type', 'state', 'device'] } },
  },
  ...healthStreams,
]);
