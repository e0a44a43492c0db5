import {
  appleHealthDeclaration,
  type sampleTypes,
} from '../../../src/sources/apple-health/apple-health-declaration.ts';
import { createBatches } from '../batches.ts';
import { createRandom, type Random } from '../random.ts';
import { sleepNotes, workoutNotes } from '../texts/notes.ts';
import { countYears, createTimeline, writeEmittedAt, writeIso, writeLocalIso } from '../timeline.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { createScene, writeFrom } from '../write-text.ts';

type SampleType = (typeof sampleTypes)[number];
type Measurement = readonly [unit: string, value: number, minutes: number];

const day = 86_400_000;
/** The watch measures all day; the sample just after midnight is the night before. */
const hours = [3, 0, 0, 0, 0, 0, 3, 6, 6, 5, 5, 5, 6, 6, 5, 5, 5, 6, 7, 7, 6, 5, 4, 3];

const daytime: [SampleType, number][] = [
  ['heart_rate', 56],
  ['steps', 20],
  ['active_energy', 13],
  ['distance_walking', 10],
];

export const appleHealth: GeneratedSource = {
  declaration: appleHealthDeclaration,
  connections: [
    { connection_id: 'apple_health', connector_key: 'apple_health', display_name: 'Apple Health' },
  ],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'apple_health');
    yield* createBatches('apple_health', 'samples', createLines(random, records, until));
  },
};

function* createLines(random: Random, records: number, until: Date): Generator<GeneratedLine> {
  const timeline = createTimeline(until, countYears(records, 5_000), hours);
  const lastDay = new Map<SampleType, number>();
  for (let index = 0; index < records; index++) {
    const at = timeline.at((index + random.next()) / records);
    const type = drawType(random, at, lastDay);
    const [unit, value, minutes] = measure(random, type);
    const id = `${at.toString(36)}-${index.toString(36)}`;
    const isWorkout = type === 'workout';
    const data = {
      id,
      type,
      value,
      unit,
      started_at: random.chance(0.03) ? writeLocalIso(at) : writeIso(at),
      ended_at: writeIso(at + Math.round(minutes * 60_000)),
      device: type === 'body_mass' ? 'Bathroom scale' : type === 'steps' ? 'iPhone' : 'Apple Watch',
      note: isWorkout || (type === 'sleep' && random.chance(0.1)) ? writeNote(random, isWorkout) : null,
      metadata: { is_indoor: isWorkout && random.chance(0.7), was_entered_by_hand: type === 'body_mass' },
    };
    yield { key: id, data, emitted_at: writeEmittedAt(at) };
  }
}

/** One night, one resting pulse, one weighing and one workout per day at most, each at its hour. */
function drawType(random: Random, at: number, lastDay: Map<SampleType, number>): SampleType {
  const today = Math.floor(at / day);
  const hour = Math.floor((at % day) / 3_600_000);
  let wanted: SampleType | undefined;
  if (hour < 6) wanted = 'sleep';
  else if (hour === 6) wanted = today % 3 === 0 ? 'body_mass' : 'resting_heart_rate';
  else if (hour >= 18 && hour <= 20 && today % 7 < 4) wanted = 'workout';
  if (!wanted || lastDay.get(wanted) === today) return random.weighted(daytime);
  lastDay.set(wanted, today);
  return wanted;
}

function measure(random: Random, type: SampleType): Measurement {
  switch (type) {
    case 'heart_rate':
      return ['count/min', Math.round(random.bell(82, 16)), 0];
    case 'steps':
      return ['count', random.int(20, 1_900), random.int(2, 25)];
    case 'active_energy':
      return ['kcal', Math.round(random.next() * 900) / 10, random.int(5, 30)];
    case 'distance_walking':
      return ['km', Math.round(random.next() * 210) / 100, random.int(3, 30)];
    case 'sleep':
      return ['h', Math.round(random.bell(7.1, 0.7) * 10) / 10, 420];
    case 'resting_heart_rate':
      return ['count/min', Math.round(random.bell(56, 3)), 1];
    case 'workout':
      return ['min', random.int(35, 150), 90];
    case 'body_mass':
      return ['kg', Math.round(random.bell(63.4, 0.6) * 10) / 10, 0];
  }
}

function writeNote(random: Random, isWorkout: boolean): string {
  return writeFrom(random, isWorkout ? workoutNotes : sleepNotes, createScene(random, 'climbing'));
}
