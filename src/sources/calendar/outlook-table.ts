import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { openTable } from '../../import/read/read-table.ts';
import { readTime } from '../../import/read/read-time.ts';
import { sniffTable } from '../../import/read/sniff-table.ts';
import { DAY_MS, MINUTE_MS } from '../../time/durations.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { createKeyCounter } from '../values/unique-key.ts';
import { splitList, wordList } from '../values/words.ts';

/** Columns of Outlook and of Google Calendar's CSV, in lower case. The second column of a name ends in 2. */
const COLUMNS = {
  title: ['subject', 'betreff', 'objet', 'asunto', 'oggetto', 'onderwerp', 'assunto', '件名'],
  startDate: wordList(`start date|beginnt am|début|fecha de comienzo|data di inizio|begindatum|
    data de início|開始日`),
  startTime: wordList(
    'start time|beginnt um|début 2|comienzo|ora di inizio|begintijd|hora de início|開始時刻',
  ),
  endDate: wordList(
    'end date|endet am|fin|fecha de finalización|data di fine|einddatum|data de término|終了日',
  ),
  endTime: [
    'end time',
    'endet um',
    'fin 2',
    'finalización',
    'ora di fine',
    'eindtijd',
    'hora de término',
    '終了時刻',
  ],
  allDay: wordList(`all day event|ganztägiges ereignis|journée entière|todo el día|giornata intera|
    duurt hele dag|evento de dia inteiro|終日イベント`),
  organizer: wordList(`meeting organizer|besprechungsplanung|organisateur d'une réunion|
    organizador de la reunión|organizzatore riunione|organisator van vergadering|organizador da reunião|会議の開催者`),
  required: wordList(`required attendees|erforderliche teilnehmer|participants obligatoires|
    asistentes necesarios|partecipanti necessari|verplichte deelnemers|participantes obrigatórios|必須出席者`),
  optional: wordList(`optional attendees|optionale teilnehmer|participants facultatifs|
    asistentes opcionales|partecipanti facoltativi|optionele deelnemers|participantes opcionais|任意出席者`),
  categories: wordList('categories|kategorien|catégories|categorías|categorie|categorieën|categorias|分類'),
  description: [
    'description',
    'beschreibung',
    'descripción',
    'descrizione',
    'beschrijving',
    'descrição',
    '内容',
  ],
  location: ['location', 'ort', 'emplacement', 'ubicación', 'luogo', 'locatie', 'local', '場所'],
};

type Column = keyof typeof COLUMNS;
type Cells = Readonly<Partial<Record<Column, string>>>;
const NEEDED: readonly Column[] = ['title', 'startDate', 'startTime'];
const YES = /^(?:true|wahr|ein|vrai|verdadero|vero|waar|verdadeiro|yes|ja|oui|sí|sì|sim|on|1)$/i;

/** Returns whether a table is a calendar: a title, and separate columns for date and time of the start. */
export async function isOutlookTable(file: InputFile): Promise<boolean> {
  const header = sniffTable(await peekText(file))?.header ?? [];
  const names = header.map((cell) => cell.trim().toLowerCase());
  const count = (name: string) => names.filter((one) => one === name).length;
  return NEEDED.every((column) =>
    COLUMNS[column].some((name) => count(name) > 0 || (name.endsWith(' 2') && count(name.slice(0, -2)) > 1)),
  );
}

export async function* readOutlookTable(
  file: InputFile,
  calendar: string,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const order = new DayOrder();
  for await (const row of readCells(file)) if (row.cells !== undefined) order.add(row.cells.startDate ?? '');
  const { dayFirst, note } = order.decide(options);
  if (note !== undefined) yield makeNote(file, note);
  const countKey = createKeyCounter();
  for await (const { cells, place, reason } of readCells(file)) {
    const data = cells && readEvent(cells, { timeZone: options.timeZone, dayFirst });
    if (cells === undefined || data === undefined) {
      yield makeProblem(file, reason ?? 'has no valid start', place);
      continue;
    }
    // Uses the written text, so that another time zone changes the event and does not duplicate it.
    const key = hashKey(cells.title, cells.startDate, cells.startTime, cells.endDate, cells.endTime);
    yield makeRecord(file, 'events', { id: countKey(key), ...data, calendar }, place);
  }
}

interface ReadRow {
  readonly place: string;
  readonly cells?: Cells;
  readonly reason?: string;
}

async function* readCells(file: InputFile): AsyncGenerator<ReadRow> {
  const table = await openTable(file);
  if (table === undefined) return;
  const find = (names: readonly string[]) => table.columns.find((one) => names.includes(one.toLowerCase()));
  const columns = Object.entries(COLUMNS).map(([name, names]) => [name, find(names)] as const);
  for await (const row of table.rows()) {
    if (row.kind === 'problem') {
      yield row;
      continue;
    }
    const cells = columns.flatMap(([name, column]) => {
      const cell = column === undefined ? '' : (row.values[column] ?? '').trim();
      return cell === '' ? [] : [[name, cell] as const];
    });
    yield { place: `line ${row.line}`, cells: Object.fromEntries(cells) };
  }
}

function readEvent(
  cells: Cells,
  options: { timeZone: string; dayFirst: boolean },
): Record<string, unknown> | undefined {
  const isAllDay = YES.test(cells.allDay ?? '') || cells.startTime === undefined;
  const at = (date: string | undefined, clock: string | undefined) =>
    date === undefined ? undefined : readTime(clock === undefined ? date : `${date} ${clock}`, options);
  const start = at(cells.startDate, isAllDay ? undefined : cells.startTime);
  if (start === undefined) return undefined;
  const last = at(cells.endDate, isAllDay ? undefined : cells.endTime) ?? start;
  // Outlook writes the day after the last one with a time; others write the last day without a time.
  const isInclusive = isAllDay && (cells.endTime === undefined || last === start);
  const end = isInclusive ? addDay(last) : last;
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / MINUTE_MS);
  const people = [cells.organizer, cells.required, cells.optional].flatMap((cell) => splitList(cell, /;/));
  const emails = people.flatMap((person) => /[^\s<>;]+@[^\s<>;]+/.exec(person)?.[0].toLowerCase() ?? []);
  const categories = splitList(cells.categories, /[;,]/);
  return {
    title: cells.title,
    description: cells.description,
    location: cells.location,
    starts_at: start,
    ends_at: end,
    duration_minutes: minutes >= 0 ? minutes : undefined,
    is_all_day: isAllDay,
    organizer_email: /[^\s<>;]+@[^\s<>;]+/.exec(cells.organizer ?? '')?.[0].toLowerCase(),
    attendees: people.length > 0 ? [...new Set(people)] : undefined,
    attendee_emails: emails.length > 0 ? [...new Set(emails)] : undefined,
    categories: categories.length > 0 ? categories : undefined,
  };
}

const addDay = (time: string) => new Date(Date.parse(time) + DAY_MS).toISOString().replace('.000Z', 'Z');
