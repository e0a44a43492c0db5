import type { TimeOptions } from '../../import/read/read-time.ts';
import type { XmlTree } from '../files/xml-tree.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import { attributesOf, readMetadata, readWhen, toNumber } from './health-attributes.ts';
import { nameType, nameWorkout } from './health-names.ts';

export function readWorkout(
  { attributes, children }: XmlTree,
  options: TimeOptions,
): Record<string, unknown> | undefined {
  const when = readWhen(attributes, options);
  if (when.started_at === undefined) return undefined;
  const statistics = attributesOf(children, 'WorkoutStatistics');
  const find = (pattern: RegExp) => statistics.find(({ type }) => pattern.test(type ?? ''));
  const distance = find(/IdentifierDistance/);
  const energy = find(/ActiveEnergyBurned$/);
  const heart = find(/IdentifierHeartRate$/);
  const route = children.find(({ name }) => name === 'WorkoutRoute');
  return dropEmpty({
    name: nameWorkout(attributes.workoutActivityType ?? ''),
    ...when,
    duration_min: toMinutes(attributes.duration, attributes.durationUnit),
    distance: toNumber(attributes.totalDistance ?? distance?.sum),
    distance_unit: attributes.totalDistanceUnit ?? distance?.unit,
    energy: toNumber(attributes.totalEnergyBurned ?? energy?.sum),
    energy_unit: attributes.totalEnergyBurnedUnit ?? energy?.unit,
    average_heart_rate: toNumber(heart?.average),
    maximum_heart_rate: toNumber(heart?.maximum),
    device: attributes.sourceName,
    device_version: attributes.sourceVersion,
    statistics: statistics.map(({ type, ...rest }) => ({ type: nameType(type ?? ''), ...rest })),
    events: attributesOf(children, 'WorkoutEvent'),
    activities: attributesOf(children, 'WorkoutActivity'),
    route_file: route?.children.find(({ name }) => name === 'FileReference')?.attributes.path,
    metadata: readMetadata(children),
  });
}

function toMinutes(text: string | undefined, unit = 'min'): number | undefined {
  const number = toNumber(text);
  return number === undefined
    ? undefined
    : unit === 's'
      ? number / 60
      : /^h/.test(unit)
        ? number * 60
        : number;
}
