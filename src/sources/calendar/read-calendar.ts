import type { ImportOptions, InputFile, Recognised, Yielded } from '../../import/importer.ts';
import { openScratch } from '../../import/scratch.ts';
import { type Component, readComponents } from '../files/content-lines.ts';
import { CalendarZones } from './calendar-zones.ts';
import { readEvent, readJournal, readTask, readText } from './event-record.ts';
import { Versions } from './event-versions.ts';
import { isOutlookTable, readOutlookTable } from './outlook-table.ts';

const READERS = {
  VEVENT: { stream: 'events', read: readEvent },
  VTODO: { stream: 'tasks', read: readTask },
  VJOURNAL: { stream: 'journal', read: readJournal },
} as const;

/** Reads calendars twice: first for zones and for which version of an event is the last, then for the events. */
export async function* readCalendar(
  recognised: Recognised,
  options: ImportOptions,
  streams: readonly string[],
): AsyncGenerator<Yielded> {
  const scratch = openScratch();
  const files: InputFile[] = [];
  try {
    for (const file of recognised.files)
      if (await isOutlookTable(file)) yield* readOutlookTable(file, nameOf(file), options);
      else files.push(file);
    yield* readVersions({ ...recognised, files }, options, streams, new Versions(scratch));
  } finally {
    scratch.close();
  }
}

async function* readVersions(
  { files }: Recognised,
  options: ImportOptions,
  streams: readonly string[],
  versions: Versions,
): AsyncGenerator<Yielded> {
  const known = new Map<InputFile, { zones: CalendarZones; calendar: string }>();
  for (const file of files) {
    const zones = new CalendarZones(options.timeZone);
    const calendar = await lookThrough(file, zones, versions);
    known.set(file, { zones, calendar: calendar ?? nameOf(file) });
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
        yield { kind: 'problem', file, place, reason: 'ends in the middle of an entry' };
        continue;
      }
      const version = versions.judge(component, place, file);
      if (version === 'older') {
        older += 1;
        continue;
      }
      const data = streams.includes(reader.stream) ? reader.read(component, zones) : 'is not an event';
      if (typeof data === 'string') yield { kind: 'problem', file, place, reason: data };
      else
        yield { kind: 'record', stream: reader.stream, data: { ...data, ...version, calendar }, place, file };
    }
    if (older > 0)
      yield { kind: 'note', file, note: `${older} older versions or copies of entries were left out` };
    if (busy > 0)
      yield { kind: 'note', file, note: `${busy} lists of busy times name no events and were left out` };
    for (const name of zones.unknown)
      yield {
        kind: 'note',
        file,
        note: `times in the zone “${name}”, which is not known, were read as yours`,
      };
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

/** Google calls the file of a calendar by its name. */
function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(?:ics|ical|ifb|vcs|txt|csv)$/i, '');
}
