import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { readTime } from '../../import/read/read-time.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { dropEmpty } from '../values/json.ts';
import {
  type Cells,
  cellInteger,
  cellNumber,
  createCellFinder,
  isBlank,
  restOf,
} from '../values/table-cells.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import { wordList } from '../values/words.ts';

const stravaDeclaration = declareSource('strava', 'Strava', [
  declareStream('activities', 'Activities', {
    description: 'Runs, rides and other activities with distance, time, climb and heart rate.',
    detail: 'Your activities: type, time, distance and speed.',
    time: 'started_at',
    isSensitive: true,
    view: {
      label: 'Name, kind, time and distance',
      fields: ['id', 'name', 'type', 'started_at', 'distance_m', 'moving_s'],
    },
    search: ['name', 'description', 'private_note', 'type', 'gear'],
    fields: {
      id: 'text',
      name: 'text',
      type: 'text: Such as Run, Ride, Swim',
      description: 'text',
      private_note: 'text, sensitive',
      started_at: 'time, required',
      distance_m: 'number: Metres',
      moving_s: 'number: Seconds in motion',
      elapsed_s: 'number: Seconds from start to end',
      climb_m: 'number: Metres climbed',
      descent_m: 'number: Metres descended',
      average_heart_rate: 'number: Beats in a minute',
      max_heart_rate: 'number: Beats in a minute',
      calories: 'number',
      average_speed: 'number: Metres in a second',
      max_speed: 'number: Metres in a second',
      average_watts: 'number',
      max_watts: 'number',
      average_cadence: 'number',
      relative_effort: 'number',
      gear: 'text',
      is_commute: 'flag',
      steps: 'integer',
      file: 'text: Name of the track in the export',
      other_columns: { type: 'object', description: 'Further columns of the export, as they are' },
    },
  }),
]);

export const stravaImporter: Importer = {
  format: 'strava',
  title: 'Strava',
  fillsArchive: true,
  guide: {
    steps: [
      'Open strava.com/athlete/delete_your_account (the download is on this page; nothing is deleted).',
      'Under Download Request choose Request Your Archive.',
      'Download the zip from the email you receive.',
    ],
    waiting: 'A few hours.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await openActivities(file)) !== undefined),
  declare: async () => stravaDeclaration,
  read,
};

/** The first columns of every export, by language. */
const FIRST =
  wordList(`Activity ID|Activity Date|Activity Name|Activity Type|Activity Description|Elapsed Time|Distance|Max Heart Rate|
   Relative Effort|Commute|Activity Private Note|Activity Gear|Filename|Athlete Weight|Bike Weight|Elapsed Time 2|
   Moving Time|Distance 2|Max Speed|Average Speed|Elevation Gain|Elevation Loss|Elevation Low|Elevation High|
   Max Grade|Average Grade|Average Positive Grade|Average Negative Grade|Max Cadence|Average Cadence|
   Max Heart Rate 2|Average Heart Rate|Max Watts|Average Watts|Calories`);
const ACTIVITY_ID =
  /^(aktivit[äa]ts-?id|id de l['’]activit[ée]|id de (la )?actividad|id (dell['’])?attivit[àa]|id da atividade|activiteits?-?id|aktivitets-?id|アクティビティ ?id)$/i;

async function openActivities(file: InputFile): Promise<{ table: Table; rename?: boolean } | undefined> {
  const isEnglish = (cells: readonly string[]) =>
    ['activity id', 'activity date', 'activity type'].every((name) =>
      cells.some((cell) => cell.toLowerCase() === name),
    );
  const isOther = (cells: readonly string[]) => ACTIVITY_ID.test(cells[0] ?? '') && cells.length >= 12;
  const english = await openTable(file, { isHeader: isEnglish });
  if (english !== undefined) return { table: english };
  const other = await openTable(file, { isHeader: isOther });
  return other === undefined ? undefined : { table: other, rename: true };
}

async function* read({ files }: Recognised): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const found = await openActivities(file);
    if (found === undefined) {
      yield makeProblem(file, 'has no Strava columns');
      continue;
    }
    const { table, rename = false } = found;
    const names = rename ? table.columns.map((name, index) => FIRST[index] ?? name) : table.columns;
    const find = createCellFinder(names);
    const takeKey = createKeyGuard();
    yield* readEach(file, table.rows(), function* (row) {
      if (isBlank(row.values)) return;
      const place = `line ${row.line}`;
      const cells = rename ? renameCells(row.values, table.columns, names) : row.values;
      const data = readActivity(cells, find);
      const id = data === undefined ? undefined : takeKey(find(cells, 'Activity ID') ?? '');
      if (data === undefined) yield makeProblem(file, 'has no valid time', place);
      else yield makeRecord(file, 'activities', dropEmpty({ id, ...data }), place);
    });
  }
}

function renameCells(cells: Cells, from: readonly string[], to: readonly string[]): Cells {
  return Object.fromEntries(from.map((name, index) => [to[index] as string, cells[name] ?? '']));
}

const KNOWN = new Set(
  [
    ...FIRST.slice(0, 13),
    ...wordList(`Elapsed Time 2|Moving Time|Distance 2|Max Heart Rate 2|Max Speed|Average Speed|Elevation Gain|
      Elevation Loss|Average Heart Rate|Max Watts|Average Watts|Calories|Average Cadence|Total Steps|
      Relative Effort 2|Commute 2`),
  ].map((name) => name.toLowerCase()),
);

function readActivity(
  cells: Cells,
  find: ReturnType<typeof createCellFinder>,
): Record<string, unknown> | undefined {
  const get = (...names: string[]) => find(cells, ...names);
  const number = (...names: string[]) => cellNumber(get(...names));
  // Times are UTC, whatever the watch showed.
  const started_at = readTime(get('Activity Date') ?? '', { timeZone: 'UTC', dayFirst: true });
  if (started_at === undefined) return undefined;
  const elapsed_s = number('Elapsed Time 2', 'Elapsed Time');
  const commute = get('Commute', 'Commute 2');
  return dropEmpty({
    name: get('Activity Name'),
    type: get('Activity Type'),
    description: get('Activity Description'),
    private_note: get('Activity Private Note'),
    started_at,
    // If the column occurs twice, the second is in metres; otherwise the resulting speed decides.
    distance_m: number('Distance 2') ?? toMetres(number('Distance'), elapsed_s),
    moving_s: number('Moving Time'),
    elapsed_s,
    climb_m: number('Elevation Gain'),
    descent_m: number('Elevation Loss'),
    average_heart_rate: number('Average Heart Rate'),
    max_heart_rate: number('Max Heart Rate 2', 'Max Heart Rate'),
    calories: number('Calories'),
    average_speed: number('Average Speed'),
    max_speed: number('Max Speed'),
    average_watts: number('Average Watts'),
    max_watts: number('Max Watts'),
    average_cadence: number('Average Cadence'),
    relative_effort: number('Relative Effort', 'Relative Effort 2'),
    gear: get('Activity Gear'),
    is_commute: commute === undefined ? undefined : /^(true|1(\.0)?)$/i.test(commute),
    steps: cellInteger(get('Total Steps')),
    file: get('Filename'),
    other_columns: restOf(cells, KNOWN),
  });
}

/** Below a tenth of a metre per second the distance must be in kilometres. */
function toMetres(distance: number | undefined, seconds: number | undefined): number | undefined {
  if (distance === undefined || seconds === undefined || seconds === 0) return distance;
  return distance / seconds < 0.1 ? distance * 1_000 : distance;
}
