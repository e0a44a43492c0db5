import { declareSource, declareStream } from '../declare.ts';
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
  declareStream('samples', 'Health samples', {
    description: 'Single measurements of watch, phone and scale: one value over one stretch of time.',
    detail: 'Heart rate, steps, sleep, workouts and weight as your devices measured them.',
    semantics: 'append_only',
    time: 'started_at',
    view: { label: 'Kind, value and time', fields: ['id', 'type', 'value', 'unit', 'started_at'] },
    search: ['note', 'type', 'state', 'device'],
    fields: {
      id: 'text',
      type: `text: Such as ${sampleTypes.slice(0, 7).join(', ')}, or any other that Apple knows`,
      value: 'number',
      unit: 'text: Such as count/min, count, kcal, km, h, min, kg',
      started_at: 'time, required',
      ended_at: 'time',
      device: 'text',
      note: 'text or null: What the owner wrote about a workout or a night',
      metadata,
      state: 'text: What was noted where it is no number, such as asleep_deep',
      device_model: 'text',
      device_version: 'text: Of the app or system that measured',
      recorded_at: 'time',
      beats: { type: 'array', description: 'Single heart beats of a measurement', items: { type: 'object' } },
    },
  }),
  ...healthStreams,
]);
