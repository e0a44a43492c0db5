import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

/** Short names that the demo used before there was an importer. */
const SHORT: Readonly<Record<string, string>> = {
  step_count: 'steps',
  active_energy_burned: 'active_energy',
  distance_walking_running: 'distance_walking',
  sleep_analysis: 'sleep',
};

/** Cache of type names: an export repeats a hundred of them millions of times. */
const nameCache = new Map<string, string>();
const MAX_CACHED_NAMES = 1_000;

/** Returns `steps` for `HKQuantityTypeIdentifierStepCount`, and the identifier in snake case for types without a short name. */
export function nameType(identifier: string): string {
  let name = nameCache.get(identifier);
  if (name === undefined) {
    name = makeName(identifier);
    if (nameCache.size < MAX_CACHED_NAMES) nameCache.set(identifier, name);
  }
  return name;
}

function makeName(identifier: string): string {
  const words = toSnake(identifier.replace(/^HK\w*?(Type|TypeIdentifier)(?=[A-Z])(Identifier)?/, ''));
  return SHORT[words] ?? words;
}

/** Returns `Traditional Strength Training` for `HKWorkoutActivityTypeTraditionalStrengthTraining`. */
export function nameWorkout(identifier: string): string {
  const name = identifier.replace(/^HKWorkoutActivityType/, '').replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return name === '' ? 'Workout' : name;
}

/** Returns `asleep_core` for `HKCategoryValueSleepAnalysisAsleepCore` of a sleep analysis. */
export function nameState(value: string, type: string): string {
  const kind = type.replace(/^HKCategoryTypeIdentifier/, '');
  const rest = value.replace(/^HKCategoryValue/, '');
  return toSnake(rest.startsWith(kind) && rest.length > kind.length ? rest.slice(kind.length) : rest);
}

/** Returns `a_positive` for `HKBloodTypeAPositive`, and undefined for values that are not set. */
export function nameTrait(value: string | undefined): string | undefined {
  const name = value?.replace(/^HK(BiologicalSex|BloodType|FitzpatrickSkinType)/, '');
  return name === undefined || name === '' || name === 'NotSet' ? undefined : toSnake(name);
}

function toSnake(words: string): string {
  return words.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_').toLowerCase();
}

const USUAL_TIME = /^.{19} [+-]\d{4}$/;

/** Reads a time such as `2014-09-21 07:08:47 +0100`. Without the space it parses faster, and an export has millions of them. */
export function readHealthTime(text: string | undefined, options: TimeOptions): string | undefined {
  if (text === undefined) return undefined;
  return readTime(USUAL_TIME.test(text) ? `${text.slice(0, 19)}${text.slice(20)}` : text, options);
}

/**
 * Returns the hardware from `<<HKDevice: 0x28>, name:Apple Watch, hardware:Watch3,4>`. The first part changes
 * with each export.
 */
export function findModel(device: string | undefined): string | undefined {
  return /hardware:(.+?)(?:, \w+:|>|$)/.exec(device ?? '')?.[1];
}
