import { createRandom, type Random } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { createId, createLine } from './line.ts';
import { addMinutes, addSeconds, at, instant, type Moment } from './moment.ts';
import { isAway, isBouldering, isIll, isInFontainebleau, isInSpain, WEEKS } from './weeks.ts';

const CONNECTION = 'health_nora';
const WATCH = 'Nora’s Apple Watch';
const PHONE = 'Nora’s iPhone';
const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** A run, as the watch recorded it. */
export interface Run {
  readonly start: Moment;
  readonly kilometres: number;
  readonly minutes: number;
}

/** Steps, sleep, heart rate, weight and workouts. */
export function createHealth(): DemoLine[] {
  const random = createRandom(1, 'health');
  return [
    ...WEEKS.flatMap((week) => DAYS.flatMap((day) => createDay(week, day, random))),
    ...WEEKS.flatMap((week) => createWeek(week, random)),
    ...listRuns().map((run) => createRun(run, random)),
    ...WEEKS.filter(isBouldering).map((week) => createClimb(week, random)),
  ];
}

function createSample(
  type: string,
  value: number,
  unit: string,
  start: Moment,
  end: Moment,
  device: string,
): DemoLine {
  return createLine(CONNECTION, 'samples', end, {
    id: createId('sample', type, start.week, start.day),
    type,
    value,
    unit,
    started_at: instant(start),
    ended_at: instant(end),
    device,
  });
}

function createDay(week: number, day: number, random: Random): DemoLine[] {
  const steps = Math.round(countSteps(week, day, random));
  const hours = sleepHours(week, day, random);
  const asleep = addMinutes(at(week, day, '00:00'), -random.int(20, 75));
  return [
    createSample('steps', steps, 'count', at(week, day, '00:00'), at(week, day, '23:59'), PHONE),
    createSample('sleep', hours, 'h', asleep, addSeconds(asleep, hours * 3_600), WATCH),
  ];
}

function countSteps(week: number, day: number, random: Random): number {
  if (isIll(week, day)) return random.bell(1_900, 500);
  if (isInSpain(week, day)) return random.bell(14_200, 2_400);
  if (isAway(week, day)) return random.bell(12_600, 2_000);
  if (hasRun(week, day)) return random.bell(13_400, 1_500);
  return day >= 6 ? random.bell(9_300, 2_100) : random.bell(8_100, 1_300);
}

function sleepHours(week: number, day: number, random: Random): number {
  const usual = isIll(week, day) || isInSpain(week, day) ? 8.4 : day >= 6 ? 7.8 : 7;
  return Math.round(random.bell(usual, 0.45) * 10) / 10;
}

/** Resting heart rate falls with training and rises with a fever; weight is taken every other Saturday. */
function createWeek(week: number, random: Random): DemoLine[] {
  const trained = week < -20 ? 61 : 61 - ((week + 20) / 20) * 5;
  const rate = Math.round(isIll(week, 3) ? 68 : random.bell(trained, 0.8));
  const samples = [
    createSample('resting_heart_rate', rate, 'count/min', at(week, 7, '08:00'), at(week, 7, '08:00'), WATCH),
  ];
  if (week % 2 === 0 && !isAway(week, 6)) {
    const usual = 63.6 - (week + 52) * 0.014 + (week >= -16 && week < -12 ? 0.6 : 0);
    const weight = Math.round(random.bell(usual, 0.2) * 10) / 10;
    samples.push(
      createSample('body_mass', weight, 'kg', at(week, 6, '08:20'), at(week, 6, '08:20'), 'Scale'),
    );
  }
  return samples;
}

const hasRun = (week: number, day: number) =>
  RUNS.some(({ start }) => start.week === week && start.day === day);

/** Twice a week; from week -20 on for the race of ten kilometres on Sunday of week -6. */
function planRuns(): Run[] {
  const random = createRandom(1, 'runs');
  const runs: Run[] = [];
  const run = (week: number, day: number, clock: string, kilometres: number, pace: number) => {
    const length = Math.round((kilometres + random.bell(0, 0.08)) * 100) / 100;
    const minutes = Math.round(length * random.bell(pace, 0.06) * 10) / 10;
    runs.push({ start: at(week, day, clock), kilometres: length, minutes });
  };
  const longRuns: Record<number, number> = {
    '-20': 6,
    '-19': 6.5,
    '-15': 6.5,
    '-14': 7.5,
    '-13': 8,
    '-12': 9,
    '-11': 9,
    '-10': 10,
    '-9': 8,
    '-8': 10.5,
    '-7': 11,
  };
  for (const week of WEEKS) {
    if (isIll(week, 3) || week === -40) continue;
    if (week === -6) {
      run(week, 2, '07:05', 4, 6.2);
      runs.push({ start: at(week, 7, '10:02'), kilometres: 10.02, minutes: 56.7 });
      continue;
    }
    const isTraining = week >= -20 && week < -6;
    const pace = week < -20 ? 6.35 : 6.35 - ((Math.min(week, -7) + 20) / 13) * 0.4;
    if (!isInFontainebleau(week, 4) && random.chance(isTraining ? 1 : 0.8))
      run(week, 4, '06:40', isInSpain(week, 4) ? 4.5 : isTraining ? 6 : 5, isTraining ? pace - 0.25 : pace);
    if (!isAway(week, 7) && random.chance(isTraining ? 1 : 0.75))
      run(week, 7, '08:45', longRuns[week] ?? 5.2, pace);
  }
  return runs;
}

const RUNS: readonly Run[] = planRuns();

export const listRuns = (): readonly Run[] => RUNS;

function createRun({ start, kilometres, minutes }: Run, random: Random): DemoLine {
  const isRace = kilometres === 10.02;
  const average = Math.round(isRace ? 171 : random.bell(154, 4));
  return createWorkout('Running', start, minutes, {
    distance: kilometres,
    distance_unit: 'km',
    energy: Math.round(kilometres * 63),
    average_heart_rate: average,
    maximum_heart_rate: average + random.int(12, 20),
  });
}

function createClimb(week: number, random: Random): DemoLine {
  const minutes = random.int(96, 124);
  const average = random.int(104, 118);
  return createWorkout('Climbing', at(week, 2, `18:${random.int(35, 50)}`), minutes, {
    energy: Math.round(minutes * 5.1),
    average_heart_rate: average,
    maximum_heart_rate: average + random.int(35, 48),
  });
}

function createWorkout(
  name: string,
  start: Moment,
  minutes: number,
  measured: Record<string, unknown>,
): DemoLine {
  const end = addSeconds(start, minutes * 60);
  return createLine(CONNECTION, 'workouts', end, {
    id: createId('workout', name, start.week, start.day),
    name,
    started_at: instant(start),
    ended_at: instant(end),
    duration_min: minutes,
    ...measured,
    energy_unit: 'kcal',
    device: WATCH,
  });
}
