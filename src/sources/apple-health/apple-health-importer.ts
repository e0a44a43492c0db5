import type { Importer, ImportOptions, InputFile, Recognised, Yielded } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import type { TimeOptions } from '../../import/read/read-time.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { readXmlTreePieces, type XmlPart, type XmlTree } from '../files/xml-tree.ts';
import { appleHealthDeclaration } from './apple-health-declaration.ts';
import { findHealthFile, readClinical, readCurve } from './health-files.ts';
import { readCorrelation, readOther, readProfile, readSample, readSummary } from './health-records.ts';
import { readWorkout } from './workout.ts';

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
    waiting: 'Some minutes, more with years of a watch.',
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
  const own: InputFile[] = [];
  for (const file of files)
    if (
      /<(!DOCTYPE )?HealthData[\s>[]/.test(await peekText(file)) ||
      (await findHealthFile(file)) !== undefined
    )
      own.push(file);
  return own.length === 0 ? [] : [{ files: own, certainty: 'certain' }];
}

async function* read({ files }: Recognised, options: ImportOptions): AsyncGenerator<Yielded> {
  for (const file of files) {
    const kind = await findHealthFile(file);
    if (kind !== undefined) {
      yield* (kind === 'electrocardiogram' ? readCurve : readClinical)(file, options);
      continue;
    }
    let count = 0;
    const readPart = (part: XmlPart): Yielded | undefined => {
      if (part.kind === 'problem') return { file, ...part };
      if (part.kind !== 'tree' || part.tree.name === 'ExportDate') return undefined;
      count += 1;
      const place = `item ${count}`;
      const { stream, data } = readItem(part.tree, options);
      if (data === undefined) return { kind: 'problem', file, place, reason: 'has no time that can be read' };
      return { kind: 'record', stream, data, place, file };
    };
    for await (const parts of readXmlTreePieces(readXmlPieces(file), isItem)) {
      for (const part of parts) {
        const item = readPart(part);
        if (item !== undefined) yield item;
      }
    }
  }
}

/** All that stands directly in the document. */
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
