import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJson } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { readXmlTreePieces, type XmlPart, type XmlTree } from '../files/xml-tree.ts';
import { dropEmpty, isObject, trimmedText } from '../values/json.ts';
import { appleHealthDeclaration } from './apple-health-declaration.ts';
import { attributesOf, readMetadata, readPeriod, toNumber } from './health-attributes.ts';
import { nameType, nameWorkout, readHealthTime } from './health-names.ts';
import { readCorrelation, readOther, readProfile, readSample, readSummary } from './health-records.ts';

export const appleHealthImporter: Importer = {
  format: 'apple-health',
  title: 'Apple Health',
  fillsArchive: true,
  guide: {
    steps: [
      'On the iPhone open Health and tap your picture at the top right.',
      'Scroll down and tap Export All Health Data.',
      'Save or send the export.zip to this computer.',
    ],
    waiting: 'A few minutes, longer with years of data.',
  },
  identity: {
    samples: ['type', 'value', 'unit', 'state', 'started_at', 'ended_at', 'device'],
    correlations: ['type', 'started_at', 'ended_at', 'device', 'members'],
    workouts: ['name', 'started_at', 'ended_at', 'device'],
    other_records: ['type', 'started_at', 'details'],
  },
  recognise,
  declare: async () => appleHealthDeclaration,
  read,
};

async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const healthFiles: InputFile[] = [];
  for (const file of files)
    if (
      /<(!DOCTYPE )?HealthData[\s>[]/.test(await peekText(file)) ||
      (await findHealthFile(file)) !== undefined
    )
      healthFiles.push(file);
  return healthFiles.length === 0 ? [] : [{ files: healthFiles, certainty: 'certain' }];
}

async function* read({ files }: Recognised, options: ImportOptions): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const kind = await findHealthFile(file);
    if (kind !== undefined) {
      yield* (kind === 'electrocardiogram' ? readElectrocardiogram : readClinical)(file, options);
      continue;
    }
    let count = 0;
    const readPart = (part: XmlPart): ImportItem | undefined => {
      if (part.kind === 'problem') return { file, ...part };
      if (part.kind !== 'tree' || part.tree.name === 'ExportDate') return undefined;
      count += 1;
      const place = `item ${count}`;
      const { stream, data } = readItem(part.tree, options);
      if (data === undefined) return makeProblem(file, 'has no valid time', place);
      return makeRecord(file, stream, data, place);
    };
    for await (const parts of readXmlTreePieces(readXmlPieces(file), isItem)) {
      for (const part of parts) {
        const item = readPart(part);
        if (item !== undefined) yield item;
      }
    }
  }
}

const isItem = (name: string) => name !== 'HealthData';

function readItem(tree: XmlTree, options: TimeOptions) {
  switch (tree.name) {
    case 'Record':
      return { stream: 'samples', data: readSample(tree, options) };
    case 'Workout':
      return { stream: 'workouts', data: readWorkout(tree, options) };
    case 'ActivitySummary':
      return { stream: 'activity_summaries', data: readSummary(tree) };
    case 'Correlation':
      return { stream: 'correlations', data: readCorrelation(tree, options) };
    case 'Me':
      return { stream: 'profile', data: readProfile(tree) };
    default:
      return { stream: 'other_records', data: readOther(tree, options) };
  }
}

function readWorkout(
  { attributes, children }: XmlTree,
  options: TimeOptions,
): Record<string, unknown> | undefined {
  const period = readPeriod(attributes, options);
  if (period.started_at === undefined) return undefined;
  const statistics = attributesOf(children, 'WorkoutStatistics');
  const find = (pattern: RegExp) => statistics.find(({ type }) => pattern.test(type ?? ''));
  const distance = find(/IdentifierDistance/);
  const energy = find(/ActiveEnergyBurned$/);
  const heart = find(/IdentifierHeartRate$/);
  const route = children.find(({ name }) => name === 'WorkoutRoute');
  return dropEmpty({
    name: nameWorkout(attributes.workoutActivityType ?? ''),
    ...period,
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
  if (number === undefined) return undefined;
  if (unit === 's') return number / 60;
  return unit.startsWith('h') ? number * 60 : number;
}

type HealthFile = 'electrocardiogram' | 'clinical record';

/**
 * Detects a file that accompanies the export. Returns undefined for other files. It looks at the content, because file
 * names and labels are in the phone's language.
 */
async function findHealthFile(file: InputFile): Promise<HealthFile | undefined> {
  const head = await peekText(file);
  if (/(?:^|\/)clinical-records\//.test(file.path) && /^\s*\{[\s\S]*"resourceType"\s*:/.test(head))
    return 'clinical record';
  const isElectrocardiogram =
    /^[^\n]+,.*\n/.test(head) && /,\s*"?(?:µ|μ)V"?\s*$/m.test(head) && RECORDING_TIME.test(head);
  return isElectrocardiogram ? 'electrocardiogram' : undefined;
}

const RECORDING_TIME = /,\s*"?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})"?\s*$/m;

/** Reads the header of an ECG. The samples are skipped: nobody queries thousands of voltages. */
async function* readElectrocardiogram(file: InputFile, options: TimeOptions): AsyncGenerator<ImportItem> {
  const details: Record<string, string> = {};
  let voltages = 0;
  for await (const { text } of readTextLines(file)) {
    const [, name, value] = /^"?([^",]*\p{L}[^",]*)"?,"?(.*?)"?\s*$/u.exec(text) ?? [];
    if (name !== undefined && value !== undefined && voltages === 0) {
      if (value !== '') details[name] = value;
    } else if (/^\s*-?\d/.test(text)) voltages += 1;
  }
  const started_at = readHealthTime(RECORDING_TIME.exec(await peekText(file))?.[1], options);
  const data = { type: 'electrocardiogram', started_at, details };
  yield makeRecord(file, 'other_records', data);
  yield makeNote(file, `ECG curves were skipped; their results were imported`);
}

const TIME_FIELDS =
  'effectiveDateTime|occurrenceDateTime|performedDateTime|onsetDateTime|authoredOn|recordedDate|issued|date'.split(
    '|',
  );

/** Reads a clinical record in FHIR format. */
async function* readClinical(file: InputFile, options: TimeOptions): AsyncGenerator<ImportItem> {
  const whole = await readJson(file);
  if (whole.kind === 'broken' || !isObject(whole.value))
    return yield makeProblem(file, whole.kind === 'broken' ? whole.reason : 'is not a clinical record');
  const details = whole.value;
  const time = TIME_FIELDS.map((name) => trimmedText(details[name])).find((text) => text !== undefined);
  const started_at = time === undefined ? undefined : readTime(time, options);
  const data = { type: nameType(trimmedText(details.resourceType) ?? ''), started_at, details };
  yield makeRecord(file, 'other_records', data);
}
