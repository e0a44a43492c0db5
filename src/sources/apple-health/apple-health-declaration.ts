import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream } from '../declare.ts';

const details = { type: 'object' };
const parts = { type: 'array', items: { type: 'object' } };
const energy = { type: 'number', 'x-pdpp-unit': 'energy_unit' };

const healthStreams: StreamDeclaration[] = [
  declareStream('workouts', 'Workouts', {
    description: 'Workouts with their length, distance, energy and heart rate.',
    detail: 'Your workouts: which, when, how long and how far.',
    semantics: 'append_only',
    time: 'started_at',
    view: { label: 'Kind, time and length', fields: ['id', 'name', 'started_at', 'duration_min'] },
    fields: {
      id: 'text',
      name: 'text, search: Kind of workout, such as Running',
      started_at: 'time, required',
      ended_at: 'time',
      duration_min: 'number: Minutes',
      distance: 'number',
      distance_unit: 'text',
      energy: 'number: Active energy',
      energy_unit: 'text',
      average_heart_rate: 'number: Beats in a minute',
      maximum_heart_rate: 'number: Beats in a minute',
      device: 'text, search',
      device_version: 'text',
      recorded_at: 'time',
      statistics: { ...parts, description: 'Sums, averages and extremes as Apple wrote them' },
      events: { ...parts, description: 'Pauses, laps and the like' },
      activities: { ...parts, description: 'Parts of a workout of several sports' },
      route_file: 'text',
      metadata: details,
    },
  }),
  declareStream('activity_summaries', 'Activity rings', {
    description: 'The rings of a day: energy, exercise and standing, each with its goal.',
    detail: 'How much you moved, day by day.',
    time: 'date',
    isSensitive: true,
    fields: {
      date: 'date',
      active_energy: energy,
      active_energy_goal: energy,
      energy_unit: 'text',
      move_minutes: 'number',
      move_minutes_goal: 'number',
      exercise_minutes: 'number',
      exercise_minutes_goal: 'number',
      stand_hours: 'integer',
      stand_hours_goal: 'integer',
    },
  }),
  declareStream('correlations', 'Blood pressure and meals', {
    description: 'Measurements that belong together, such as a blood pressure or a meal.',
    detail: 'Measurements that belong together.',
    semantics: 'append_only',
    time: 'started_at',
    isSensitive: true,
    fields: {
      id: 'text',
      type: 'text, search: Such as blood_pressure or food',
      started_at: 'time, required',
      ended_at: 'time',
      device: 'text, search',
      recorded_at: 'time',
      members: { ...parts, description: 'Type, value and unit of each' },
      metadata: details,
    },
  }),
  declareStream('other_records', 'Other health records', {
    description: 'Other parts of the export: hearing tests, glasses prescriptions, clinical documents.',
    detail: 'Hearing tests, prescriptions and clinical records.',
    semantics: 'append_only',
    time: 'started_at',
    isSensitive: true,
    fields: {
      id: 'text',
      type: 'text, search',
      started_at: 'time',
      details: { ...details, description: 'All of its attributes, as Apple wrote them' },
      parts,
    },
  }),
  declareStream('profile', 'Health profile', {
    description: "The owner's own details in Health.",
    detail: 'Date of birth, sex and blood type.',
    isSensitive: true,
    fields: {
      id: 'text',
      birth_date: 'date',
      sex: 'text, sensitive',
      blood_type: 'text',
      skin_type: 'text, sensitive',
    },
  }),
];

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
  description: 'Additional data from the app',
  properties: { is_indoor: { type: 'boolean' }, was_entered_by_hand: { type: 'boolean' } },
};

export const appleHealthDeclaration = declareSource('apple_health', 'Apple Health', [
  declareStream('samples', 'Health samples', {
    description: 'Measurements of watch, phone and scale: one value over one period of time.',
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
      state: 'text: Value that is not a number, such as asleep_deep',
      device_model: 'text',
      device_version: 'text: Version of the app or system that measured',
      recorded_at: 'time',
      beats: { type: 'array', description: 'Single heart beats of a measurement', items: { type: 'object' } },
    },
  }),
  ...healthStreams,
]);
