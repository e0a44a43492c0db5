import type { ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { openScratch, type Scratch } from '../../store/sqlite/scratch.ts';
import { type Component, readComponents } from '../files/content-lines.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { CalendarZones } from './calendar-zones.ts';
import { findEventId, findLine, readEvent, readJournal, readTask, readText } from './event-record.ts';
import { isOutlookTable, readOutlookTable } from './outlook-table.ts';

const READERS = {
  VEVENT: { stream: 'events', read: readEvent },
  VTODO: { stream: 'tasks', read: readTask },
  VJOURNAL: { stream: 'journal', read: readJournal },
} as const;

/** Reads calendars twice: first for zones and the latest version of each event, then for the events. */
export async function* readCalendar(
  recognised: Recognised,
  options: ImportOptions,
  streams: readonly string[],
): AsyncGenerator<ImportItem> {
  const scratch = openScratch();
  const files: InputFile[] = [];
  try {
    for (const file of recognised.files)
      if (await isOutlookTable(file)) yield* readOutlookTable(file, nameOf(file), options);
      else files.push(file);
    yield* readVersions({ ...recognised, files }, options, streams, new Versions(createDiskIndex(scratch)));
  } finally {
    scratch.close();
  }
}

/**
 * Reads one object of a calendar server: an event with its changed occurrences, a task, a journal entry. It yields what
 * an import of the whole calendar would.
 */
export function readCalendarObject(
  object: InputFile,
  options: ImportOptions,
  calendar: string,
): AsyncGenerator<ImportItem> {
  const files = { files: [object] };
  return readVersions(
    files,
    options,
    ['events', 'tasks', 'journal'],
    new Versions(createMemoryIndex()),
    calendar,
  );
}

async function* readVersions(
  { files }: Pick<Recognised, 'files'>,
  options: ImportOptions,
  streams: readonly string[],
  versions: Versions,
  calendarName?: string,
): AsyncGenerator<ImportItem> {
  const known = new Map<InputFile, { zones: CalendarZones; calendar: string }>();
  for (const file of files) {
    const zones = new CalendarZones(options.timeZone);
    const calendar = (await lookThrough(file, zones, versions)) ?? calendarName;
    known.set(file, { zones, calendar: calendarName ?? calendar ?? nameOf(file) });
    if (calendar?.includes('@') && !calendar.includes('calendar.google.com'))
      yield { kind: 'self', value: calendar };
  }
  for (const file of files) {
    const { zones, calendar } = known.get(file) as { zones: CalendarZones; calendar: string };
    let older = 0;
    let busy = 0;
    for await (const component of readComponents(file)) {
      const reader = READERS[component.name as keyof typeof READERS];
      const { place } = component;
      if (component.name === 'VFREEBUSY') busy += 1;
      if (reader === undefined) continue;
      if (!component.isWhole) {
        yield makeProblem(file, 'ends in the middle of an entry', place);
        continue;
      }
      const version = versions.chooseId(component, place, file);
      if (version === 'older') {
        older += 1;
        continue;
      }
      const data = streams.includes(reader.stream) ? reader.read(component, zones) : 'is not an event';
      if (typeof data === 'string') yield makeProblem(file, data, place);
      else yield makeRecord(file, reader.stream, { ...data, ...version, calendar }, place);
    }
    if (older > 0) yield makeNote(file, `${older} older versions or copies skipped`);
    if (busy > 0) yield makeNote(file, `${busy} lists of busy times skipped: they contain no events`);
    for (const name of zones.unknown)
      yield makeNote(file, `times in the unknown zone “${name}” were read in your time zone`);
  }
}

async function lookThrough(
  file: InputFile,
  zones: CalendarZones,
  versions: Versions,
): Promise<string | undefined> {
  let parts: Component[] = [];
  let calendar: string | undefined;
  for await (const component of readComponents(file)) {
    if (component.name === 'STANDARD' || component.name === 'DAYLIGHT') parts.push(component);
    if (component.name === 'VTIMEZONE') {
      zones.define(component, parts);
      parts = [];
    }
    if (component.name === 'VCALENDAR') {
      calendar ??= readText(component, 'X-WR-CALNAME') ?? readText(component, 'NAME');
      zones.setDefault(readText(component, 'X-WR-TIMEZONE') ?? '');
    }
    if (component.isWhole && Object.hasOwn(READERS, component.name))
      versions.see(component, component.place, file);
  }
  return calendar;
}

/** Google names the file after the calendar. */
function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(?:ics|ical|ifb|vcs|txt|csv)$/i, '');
}

interface Version {
  readonly file: number;
  readonly place: string;
  readonly sequence: string;
  /** A short hash of summary and start. */
  readonly variant: string;
}

/** The latest version of each entry by a key. */
interface VersionIndex {
  /** Stores a version unless one of the same or a higher rank is stored. */
  put(key: string, rank: string, version: Version): void;
  find(key: string): Version | undefined;
}

/** An index on disk, for calendars of any size. */
function createDiskIndex({ raw }: Scratch): VersionIndex {
  raw.exec(
    `create table versions (key text primary key, rank text, place text, file integer, sequence text, variant text)
     without rowid`,
  );
  const insert = raw.prepare(
    `insert into versions values (?, ?, ?, ?, ?, ?) on conflict do update
     set rank = excluded.rank, place = excluded.place, file = excluded.file, sequence = excluded.sequence,
       variant = excluded.variant
     where excluded.rank > rank`,
  );
  const find = raw.prepare('select place, file, sequence, variant from versions where key = ?');
  return {
    put: (key, rank, { place, file, sequence, variant }) =>
      void insert.run(key, rank, place, file, sequence, variant),
    find: (key) => find.get(key) as Version | undefined,
  };
}

function createMemoryIndex(): VersionIndex {
  const ranked = new Map<string, { readonly rank: string; readonly version: Version }>();
  return {
    put(key, rank, version) {
      const stored = ranked.get(key);
      if (stored === undefined || rank > stored.rank) ranked.set(key, { rank, version });
    },
    find: (key) => ranked.get(key)?.version,
  };
}

/**
 * Decides which entries with one id to import. The latest version wins (RFC 5546 §2.1.4: larger SEQUENCE, then
 * later DTSTAMP). Some programs give one id to several events of a file.
 */
class Versions {
  readonly #files = new Map<InputFile, number>();
  readonly #index: VersionIndex;

  constructor(index: VersionIndex) {
    this.#index = index;
  }

  see(component: Component, place: string, file: InputFile): void {
    const id = findEventId(component);
    if (id === undefined) return;
    const version = this.#describe(component, place, file);
    const stamp = findLine(component, 'LAST-MODIFIED') ?? findLine(component, 'DTSTAMP');
    const rank = `${version.sequence} ${stamp?.value.trim() ?? ''}`;
    this.#index.put(`${component.name} ${id}`, rank, version);
    this.#index.put(nameVariant(component, id, version), rank, version);
  }

  /** `older`, or the id to import it under: the event's own, or another if a different event has that id. */
  chooseId(component: Component, place: string, file: InputFile): 'older' | { id?: string } {
    const id = findEventId(component);
    if (id === undefined) return {};
    const own = this.#describe(component, place, file);
    const isSame = (other: Version | undefined) => other?.place === place && other.file === own.file;
    const last = this.#index.find(`${component.name} ${id}`);
    if (last === undefined || isSame(last)) return {};
    // A file holds an event once: an entry with the same id and other content is another event.
    const isOther = last.file === own.file && last.sequence === own.sequence && last.variant !== own.variant;
    return isOther && isSame(this.#index.find(nameVariant(component, id, own)))
      ? { id: `${id}#${own.variant}` }
      : 'older';
  }

  #describe(component: Component, place: string, file: InputFile): Version {
    const number = this.#files.get(file) ?? this.#files.size;
    this.#files.set(file, number);
    return {
      place,
      file: number,
      sequence: (findLine(component, 'SEQUENCE')?.value.trim() ?? '0').padStart(10, '0'),
      variant: hashKey(findLine(component, 'DTSTART')?.value.trim(), readText(component, 'SUMMARY')).slice(
        0,
        11,
      ),
    };
  }
}

const nameVariant = ({ name }: Component, id: string, { file, sequence, variant }: Version) =>
  `${name} ${id} ${file} ${sequence} ${variant}`;
