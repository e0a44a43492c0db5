import type { TimeOptions } from '../../import/read/read-time.ts';
import { HOUR_MS } from '../../time/durations.ts';
import type { XmlTree } from '../files/xml-tree.ts';
import { dropEmpty } from '../values/json.ts';
import { attributesOf, readMetadata, readPeriod, toNumber } from './health-attributes.ts';
import { findModel, nameState, nameTrait, nameType, readHealthTime } from './health-names.ts';

type Data = Record<string, unknown>;

export function readSample({ attributes, children }: XmlTree, options: TimeOptions): Data | undefined {
  const { type = '', value = '', unit } = attributes;
  const period = readPeriod(attributes, options);
  if (period.started_at === undefined) return undefined;
  const number = toNumber(value);
  const isSleep = type.endsWith('SleepAnalysis');
  const beats = children.find(({ name }) => name === 'HeartRateVariabilityMetadataList')?.children ?? [];
  return dropEmpty({
    type: nameType(type),
    // Sleep has no number in the export. Its duration is stored instead, so that it can be summed.
    value: isSleep ? countHours(period) : number,
    unit: isSleep ? 'h' : unit,
    state: number === undefined && value !== '' ? nameState(value, type) : undefined,
    ...period,
    device: attributes.sourceName,
    device_model: findModel(attributes.device),
    device_version: attributes.sourceVersion,
    metadata: readMetadata(children),
    beats: beats.map((beat) => ({ ...beat.attributes })),
  });
}

export function readSummary({ attributes }: XmlTree): Data | undefined {
  const date = attributes.dateComponents ?? '';
  // Apple writes empty years before the watch was first worn.
  if (!/^(19[7-9]|2)\d{2,3}-\d\d-\d\d$/.test(date)) return undefined;
  const number = (name: string) => toNumber(attributes[name]);
  const rounded = (name: string) =>
    number(name) === undefined ? undefined : Math.round(number(name) as number);
  return dropEmpty({
    date,
    active_energy: number('activeEnergyBurned'),
    active_energy_goal: number('activeEnergyBurnedGoal'),
    energy_unit: attributes.activeEnergyBurnedUnit,
    move_minutes: number('appleMoveTime'),
    move_minutes_goal: number('appleMoveTimeGoal'),
    exercise_minutes: number('appleExerciseTime'),
    exercise_minutes_goal: number('appleExerciseTimeGoal'),
    stand_hours: rounded('appleStandHours'),
    stand_hours_goal: rounded('appleStandHoursGoal'),
  });
}

/** The members are separate samples elsewhere in the file, so only their number is stored. */
export function readCorrelation({ attributes, children }: XmlTree, options: TimeOptions): Data | undefined {
  const period = readPeriod(attributes, options);
  if (period.started_at === undefined) return undefined;
  const members = attributesOf(children, 'Record').map(({ type = '', value, unit }) =>
    dropEmpty({ type: nameType(type), value: toNumber(value) ?? value, unit }),
  );
  const type = nameType(attributes.type ?? '');
  return dropEmpty({
    type,
    ...period,
    device: attributes.sourceName,
    members,
    metadata: readMetadata(children),
  });
}

export function readOther(tree: XmlTree, options: TimeOptions): Data {
  const { name, attributes, children } = tree;
  const { device: _, ...details } = attributes;
  const started_at = readHealthTime(
    attributes.startDate ?? attributes.dateIssued ?? attributes.receivedDate ?? attributes.creationDate,
    options,
  );
  return dropEmpty({
    type: nameType(attributes.type ?? name),
    started_at,
    details,
    parts: children.map((child) => ({ name: child.name, ...child.attributes })),
  });
}

export function readProfile({ attributes }: XmlTree): Data {
  const trait = (name: string) => attributes[`HKCharacteristicTypeIdentifier${name}`];
  const born = trait('DateOfBirth');
  return dropEmpty({
    id: 'me',
    birth_date: /^\d{4}-\d\d-\d\d$/.test(born ?? '') ? born : undefined,
    sex: nameTrait(trait('BiologicalSex')),
    blood_type: nameTrait(trait('BloodType')),
    skin_type: nameTrait(trait('FitzpatrickSkinType')),
  });
}

function countHours({
  started_at,
  ended_at,
}: {
  started_at?: string | undefined;
  ended_at?: string | undefined;
}) {
  const hours = (Date.parse(ended_at ?? '') - Date.parse(started_at ?? '')) / HOUR_MS;
  return hours >= 0 ? Math.round(hours * 1e4) / 1e4 : undefined;
}
