import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

/** Types that have had a shorter name here since before there was an importer. */
const SHORT: Readonly<Record<string, string>> = {
  step_count: 'steps',
  active_energy_burned: 'active_energy',
  distance_walking_running: 'distance_walking',
  sleep_analysis: 'sleep',
};

/** Names that were made before: an export repeats a hundred types millions of times. */
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

/** `HKQuantityTypeIdentifierStepCount` is `steps`, what has no shorter name its own words with underscores. */
export function nameType(identifier: string): string {
  let name = known.get(identifier);
  if (name === undefined) {
    name = makeName(identifier);
    if (known.size < MAX_KNOWN) known.set(identifier, name);
  }
  return name;
}

function makeName(identifier: string): string {
  const words = toSnake(identifier.replace(/^HK\w*?(Type|TypeIdentifier)(?=[A-Z])(Identifier)?/, ''));
  return SHORT[words] ?? words;
}

/** `HKWorkoutActivityTypeTraditionalStrengthTraining` is `Traditional Strength Training`. */
export function nameWorkout(identifier: string): string {
  const name = identifier.replace(/^HKWorkoutActivityType/, '').replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return name === '' ? 'Workout' : name;
}

/** `HKCategoryValueSleepAnalysisAsleepCore` of a sleep analysis is `asleep_core`. */
export function nameState(value: string, type: string): string {
  const kind = type.replace(/^HKCategoryTypeIdentifier/, '');
  const rest = value.replace(/^HKCategoryValue/, '');
  return toSnake(rest.startsWith(kind) && rest.length > kind.length ? rest.slice(kind.length) : rest);
}

/** `HKCharacteristicTypeIdentifierBloodType` and `HKBloodTypeAPositive` give `a_positive`; what is not set nothing. */
export function nameTrait(value: string | undefined): string | undefined {
  const name = value?.replace(/^HK(BiologicalSex|BloodType|FitzpatrickSkinType)/, '');
  return name === undefined || name === '' || name === 'NotSet' ? undefined : toSnake(name);
}

function toSnake(words: string): string {
  return words.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_').toLowerCase();
}

const USUAL = /^.{19} [+-]\d{4}$/;

/** `2014-09-21 07:08:47 +0100`, brought into the shape that is read quickest: there are millions of them. */
export function readHealthTime(text: string | undefined, options: TimeOptions): string | undefined {
  if (text === undefined) return undefined;
  return readTime(USUAL.test(text) ? `${text.slice(0, 19)}${text.slice(20)}` : text, options);
}

/** The hardware out of `<<HKDevice: 0x28>, name:Apple Watch, hardware:Watch3,4>`; its first part is new in each export. */
export function findModel(device: string | undefined): string | undefined {
  return /hardware:(.+?)(?:, \w+:|>|$)/.exec(device ?? '')?.[1];
}
