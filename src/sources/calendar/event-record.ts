import { DAY_MS, MINUTE_MS } from '../../time/durations.ts';
import { decodeValue } from '../contacts/vcard-value.ts';
import { type Component, type ContentLine, splitValue, unescapeText } from '../files/content-lines.ts';
import { wordTable } from '../values/words.ts';
import type { CalendarZones } from './calendar-zones.ts';

type Fields = Record<string, unknown>;

const DURATION = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;
/** Longer ids do not fit in a key; the rest of the record identifies the event. */
const MAX_ID_BYTES = 400;

export const findLine = ({ lines }: Component, name: string) => lines.find((line) => line.name === name);

export function readText(component: Component, name: string): string | undefined {
  const line = findLine(component, name);
  const text = line === undefined ? '' : unescapeText(decodeValue(line)).trim();
  return text === '' ? undefined : text;
}

/** Identifies an event by its id and, for a changed occurrence, its recurrence id. */
export function findEventId(component: Component): string | undefined {
  const uid = readText(component, 'UID');
  const recurrenceId = findLine(component, 'RECURRENCE-ID')?.value.trim();
  const id = uid === undefined || recurrenceId === undefined ? uid : `${uid}/${recurrenceId}`;
  return id === undefined || Buffer.byteLength(id) > MAX_ID_BYTES ? undefined : id;
}

/** Returns the duration in minutes, so that apps can sort by it and add it up. */
function minutesBetween(start: string, end: string): number | undefined {
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / MINUTE_MS);
  return minutes >= 0 ? minutes : undefined;
}

/** Reads an event. Returns the reason if that is impossible. */
export function readEvent(component: Component, zones: CalendarZones): Fields | string {
  const start = zones.read(findLine(component, 'DTSTART'));
  if (start === undefined) return 'has no valid start';
  const end = findEnd(component, zones, start.at, start.isDay);
  const rule = findLine(component, 'RRULE')?.value.trim();
  const status = readText(component, 'STATUS')?.toLowerCase() ?? '';
  const excluded = component.lines
    .filter(({ name }) => name === 'EXDATE')
    .flatMap((line) => line.value.split(',').map((value) => zones.read({ ...line, value })?.at ?? []));
  return {
    ...readCommon(component, zones),
    starts_at: start.at,
    ends_at: end,
    duration_minutes: end === undefined ? undefined : minutesBetween(start.at, end),
    is_all_day: start.isDay,
    status: ['confirmed', 'tentative', 'cancelled'].includes(status) ? status : undefined,
    ...readPeople(component),
    series_id:
      rule === undefined && findLine(component, 'RECURRENCE-ID') === undefined
        ? undefined
        : readText(component, 'UID'),
    repeats: rule === undefined ? undefined : describeRule(rule),
    rule,
    excluded: excluded.length > 0 ? excluded : undefined,
    time_zone: findLine(component, 'DTSTART')?.params.TZID?.[0],
  };
}

export function readTask(component: Component, zones: CalendarZones): Fields {
  const percent = Number(readText(component, 'PERCENT-COMPLETE'));
  return {
    ...readCommon(component, zones),
    status: readText(component, 'STATUS')?.toLowerCase(),
    starts_at: zones.read(findLine(component, 'DTSTART'))?.at,
    due_at: zones.read(findLine(component, 'DUE'))?.at,
    completed_at: zones.read(findLine(component, 'COMPLETED'))?.at,
    percent_done: Number.isInteger(percent) ? percent : undefined,
  };
}

export function readJournal(component: Component, zones: CalendarZones): Fields {
  return { ...readCommon(component, zones), starts_at: zones.read(findLine(component, 'DTSTART'))?.at };
}

function readCommon(component: Component, zones: CalendarZones): Fields {
  const categories = component.lines
    .filter(({ name }) => name === 'CATEGORIES')
    .flatMap(({ value }) => splitValue(value, ',').map((part) => unescapeText(part).trim()))
    .filter((category) => category !== '');
  const at = (name: string) => zones.read(findLine(component, name))?.at;
  return {
    id: findEventId(component),
    title: readText(component, 'SUMMARY'),
    description: readText(component, 'DESCRIPTION'),
    location: readText(component, 'LOCATION'),
    url: readText(component, 'URL') ?? readText(component, 'X-GOOGLE-CONFERENCE'),
    categories: categories.length > 0 ? categories : undefined,
    // Not DTSTAMP: exports write the time of the export there, so every import would change the record.
    created_at: at('CREATED'),
    updated_at: at('LAST-MODIFIED'),
  };
}

function readPeople(component: Component): Fields {
  const organizer = findLine(component, 'ORGANIZER');
  const attendees = component.lines.filter(({ name }) => name === 'ATTENDEE');
  const named = attendees.map((line) => line.params.CN?.[0]?.trim() || findAddress(line));
  const addresses = attendees.map(findAddress).filter((address) => address !== undefined);
  return {
    organizer_email: organizer === undefined ? undefined : findAddress(organizer),
    attendees: named.length === 0 ? undefined : named.filter((name) => name !== undefined && name !== ''),
    attendee_emails: addresses.length === 0 ? undefined : addresses,
  };
}

function findAddress({ value, params }: ContentLine): string | undefined {
  const address = value.trim().replace(/^mailto:/i, '');
  return [address, params.EMAIL?.[0] ?? ''].find((one) => one.includes('@'))?.toLowerCase();
}

function findEnd(
  component: Component,
  zones: CalendarZones,
  start: string,
  isDay: boolean,
): string | undefined {
  const end = zones.read(findLine(component, 'DTEND'))?.at;
  if (end !== undefined) return end;
  const match = DURATION.exec(findLine(component, 'DURATION')?.value.trim() ?? '');
  // RFC 5545 §3.6.1: a date without an end lasts that day, a time without an end has no duration.
  if (match === null) return isDay ? addTo(start, DAY_MS) : start;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((part) => Number(part ?? 0));
  const duration = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  return addTo(start, match[1] === '-' ? 0 : duration);
}

function addTo(start: string, milliseconds: number): string {
  return new Date(Date.parse(start) + milliseconds).toISOString().replace('.000Z', 'Z');
}

const UNITS = wordTable(`SECONDLY=second|MINUTELY=minute|HOURLY=hour|
  DAILY=day|WEEKLY=week|MONTHLY=month|YEARLY=year`);
const DAYS = wordTable(`MO=Monday|TU=Tuesday|WE=Wednesday|TH=Thursday|
  FR=Friday|SA=Saturday|SU=Sunday`);
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Describes a recurrence rule: `every 2 weeks on Monday and Friday until 2013-01-30`. */
function describeRule(rule: string): string | undefined {
  const parts = Object.fromEntries(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.trim().split('=') as [string, string]),
  );
  const unit = UNITS[parts.FREQ ?? ''];
  if (unit === undefined) return undefined;
  const interval = Number(parts.INTERVAL ?? 1);
  const words = [interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`];
  const list = (value: string | undefined) => value?.split(/\s*,\s*/).filter((one) => one !== '') ?? [];
  const days = list(parts.BYDAY).map(nameDay);
  if (days.length > 0) words.push(`on ${join(days)}`);
  const dates = list(parts.BYMONTHDAY).map((day) => (day === '-1' ? 'the last day' : `day ${day}`));
  if (dates.length > 0) words.push(`on ${join(dates)}`);
  const months = list(parts.BYMONTH).map((month) => MONTHS[Number(month) - 1] ?? month);
  if (months.length > 0) words.push(`in ${join(months)}`);
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.UNTIL ?? '');
  if (until !== null) words.push(`until ${until[1]}-${until[2]}-${until[3]}`);
  if (parts.COUNT !== undefined) words.push(`${parts.COUNT} times`);
  return words.join(' ');
}

/** `2MO` is the second Monday, `-1FR` the last Friday. */
function nameDay(day: string): string {
  const match = /^([+-]?\d+)?([A-Z]{2})$/.exec(day);
  const name = DAYS[match?.[2] ?? ''] ?? day;
  const which = Number(match?.[1] ?? 0);
  if (which === 0) return name;
  if (which === -1) return `the last ${name}`;
  return which < 0
    ? `the ${name} ${-which} from the end`
    : `the ${['', 'first', 'second', 'third', 'fourth', 'fifth'][which] ?? which} ${name}`;
}

function join(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
