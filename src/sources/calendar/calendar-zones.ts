import ICAL from 'ical.js';
import { formatTime } from '../../import/read/read-time.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { isTimeZone, toUtc } from '../../time/instant.ts';
import type { Component, ContentLine } from '../files/content-lines.ts';
import { wordTable } from '../values/words.ts';

interface CalendarTime {
  readonly at: string;
  readonly isDay: boolean;
}

const VALUE = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Resolves the time zones of a calendar file. Zones of the platform take precedence over definitions in the file. */
export class CalendarZones {
  readonly #defined = new Map<string, ICAL.Timezone>();
  readonly #resolved = new Map<string, string | ICAL.Timezone | undefined>();
  readonly #unknown = new Set<string>();
  #default: string;

  constructor(timeZone: string) {
    this.#default = timeZone;
  }

  /** Zone names that could not be resolved. Their times were read in the owner's zone. */
  get unknown(): readonly string[] {
    return [...this.#unknown];
  }

  setDefault(name: string): void {
    const zone = findPlatformZone(name);
    if (zone !== undefined) this.#default = zone;
  }

  /** Adds a VTIMEZONE with its STANDARD and DAYLIGHT parts. */
  define(zone: Component, parts: readonly Component[]): void {
    const id = zone.lines.find(({ name }) => name === 'TZID')?.value.replace(/\\(.)/g, '$1');
    if (id === undefined || parts.length === 0) return;
    // Clocks change once or twice a year. A rule per second would be expanded for centuries.
    const isSupported = ({ name, value }: ContentLine) => name !== 'RRULE' || /^FREQ=YEARLY\b/i.test(value);
    const write = ({ name, lines }: Component) =>
      `BEGIN:${name}\r\n${lines
        .filter(isSupported)
        // Some files have a date where the standard requires a time.
        .map((line) => `${line.name}:${line.value.replace(/^(\d{8})$/, '$1T000000')}\r\n`)
        .join('')}END:${name}\r\n`;
    try {
      const text = `BEGIN:VTIMEZONE\r\nTZID:own\r\n${parts.map(write).join('')}END:VTIMEZONE`;
      this.#defined.set(id, new ICAL.Timezone(new ICAL.Component(ICAL.parse(text))));
    } catch {
      // An unreadable zone counts as missing.
    }
  }

  read(line: ContentLine | undefined): CalendarTime | undefined {
    const match = VALUE.exec(line?.value.trim() ?? '');
    if (match === null) return undefined;
    const [, year, month, day, hour, minute, second = '0', offset] = match;
    const date = new Date(0);
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    if (date.getUTCDate() !== Number(day)) return undefined;
    if (hour === undefined) return this.#time(toUtc(date.getTime(), this.#default), true);
    const local = date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
    if (offset !== undefined) return this.#time(local - readOffset(offset), false);
    return this.#time(this.#toUtc(local, line?.params.TZID?.[0]), false);
  }

  #time(instant: number, isDay: boolean): CalendarTime | undefined {
    const at = formatTime(instant);
    return at === undefined ? undefined : { at, isDay };
  }

  #toUtc(local: number, name: string | undefined): number {
    const zone = name === undefined ? this.#default : this.#find(name);
    if (zone === undefined) return toUtc(local, this.#default);
    if (typeof zone === 'string')
      return zone.startsWith('+') || zone.startsWith('-') ? local - readOffset(zone) : toUtc(local, zone);
    const date = new Date(local);
    const parts = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
    const time = new ICAL.Time(parts, ICAL.Timezone.localTimezone);
    try {
      return local - zone.utcOffset(time) * 1_000;
    } catch {
      // Rules are parsed when first needed, and may then turn out to be invalid.
      const named = findByCity(name as string) ?? findOffset(name as string);
      this.#resolved.set(name as string, named);
      if (named === undefined) this.#unknown.add(name as string);
      return this.#toUtc(local, name);
    }
  }

  #find(name: string): string | ICAL.Timezone | undefined {
    if (this.#resolved.has(name)) return this.#resolved.get(name);
    const zone = findPlatformZone(name) ?? this.#defined.get(name) ?? findByCity(name) ?? findOffset(name);
    if (zone === undefined) this.#unknown.add(name);
    this.#resolved.set(name, zone);
    return zone;
  }
}

/** Returns the IANA zone for an IANA name, a path that ends in one (Mozilla, Evolution), or a Windows name. */
function findPlatformZone(name: string): string | undefined {
  const trimmed = name.trim().replace(/^["']|["']$/g, '');
  const parts = trimmed.split('/').filter((part) => part !== '');
  const tails = [trimmed, ...[3, 2].map((count) => parts.slice(-count).join('/'))];
  return (
    tails.find((tail) => tail.includes('/') && isTimeZone(tail)) ??
    (/^(?:UTC|GMT|Z)$/i.test(trimmed) ? 'UTC' : windowsZones[trimmed.toLowerCase()])
  );
}

/**
 * Exchange also writes display names: `(UTC+01:00) Amsterdam, Berlin, Bern`. The zone of a city
 * includes daylight saving time, an offset does not.
 */
function findByCity(name: string): string | undefined {
  const cities = /^\((?:UTC|GMT)[^)]*\)\s*(.+)$/i.exec(name)?.[1]?.split(/,\s*/) ?? [];
  const zones = Intl.supportedValuesOf('timeZone');
  return cities
    .map((city) => zones.find((zone) => zone.endsWith(`/${city.trim().replaceAll(' ', '_')}`)))
    .find((zone) => zone !== undefined);
}

/** Finds the offset, if everything else fails: `(UTC+07:00) Bangkok, Hanoi, Jakarta`. */
function findOffset(name: string): string | undefined {
  const match = /(?:UTC|GMT)\s*([+-])(\d{1,2}):?(\d\d)?/i.exec(name);
  return match === null ? undefined : `${match[1]}${match[2]?.padStart(2, '0')}${match[3] ?? '00'}`;
}

function readOffset(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -1 : 1) * minutes * MINUTE_MS;
}

/** Windows zone names in lower case, from CLDR's windowsZones. */
const PAIRS = `dateline standard time=Etc/GMT+12|hawaiian standard time=Pacific/Honolulu|alaskan standard time=America/Anchorage
pacific standard time=America/Los_Angeles|pacific standard time (mexico)=America/Tijuana|us mountain standard time=America/Phoenix
mountain standard time=America/Denver|mountain standard time (mexico)=America/Mazatlan|central standard time=America/Chicago
central america standard time=America/Guatemala|central standard time (mexico)=America/Mexico_City|canada central standard time=America/Regina
eastern standard time=America/New_York|us eastern standard time=America/Indianapolis|sa pacific standard time=America/Bogota
venezuela standard time=America/Caracas|atlantic standard time=America/Halifax|sa western standard time=America/La_Paz
pacific sa standard time=America/Santiago|newfoundland standard time=America/St_Johns|e. south america standard time=America/Sao_Paulo
argentina standard time=America/Buenos_Aires|sa eastern standard time=America/Cayenne|greenland standard time=America/Godthab
azores standard time=Atlantic/Azores|cape verde standard time=Atlantic/Cape_Verde|gmt standard time=Europe/London
greenwich standard time=Atlantic/Reykjavik|morocco standard time=Africa/Casablanca|w. europe standard time=Europe/Berlin
central europe standard time=Europe/Budapest|romance standard time=Europe/Paris|central european standard time=Europe/Warsaw
w. central africa standard time=Africa/Lagos|gtb standard time=Europe/Bucharest|fle standard time=Europe/Kiev
e. europe standard time=Europe/Chisinau|egypt standard time=Africa/Cairo|south africa standard time=Africa/Johannesburg
israel standard time=Asia/Jerusalem|jordan standard time=Asia/Amman|middle east standard time=Asia/Beirut
turkey standard time=Europe/Istanbul|arabic standard time=Asia/Baghdad|arab standard time=Asia/Riyadh
belarus standard time=Europe/Minsk|russian standard time=Europe/Moscow|e. africa standard time=Africa/Nairobi
iran standard time=Asia/Tehran|arabian standard time=Asia/Dubai|caucasus standard time=Asia/Yerevan
georgian standard time=Asia/Tbilisi|afghanistan standard time=Asia/Kabul|west asia standard time=Asia/Tashkent
pakistan standard time=Asia/Karachi|india standard time=Asia/Calcutta|sri lanka standard time=Asia/Colombo
nepal standard time=Asia/Katmandu|central asia standard time=Asia/Almaty|bangladesh standard time=Asia/Dhaka
myanmar standard time=Asia/Rangoon|se asia standard time=Asia/Bangkok|china standard time=Asia/Shanghai
singapore standard time=Asia/Singapore|w. australia standard time=Australia/Perth|taipei standard time=Asia/Taipei
tokyo standard time=Asia/Tokyo|korea standard time=Asia/Seoul|cen. australia standard time=Australia/Adelaide
aus central standard time=Australia/Darwin|e. australia standard time=Australia/Brisbane|aus eastern standard time=Australia/Sydney
tasmania standard time=Australia/Hobart|west pacific standard time=Pacific/Port_Moresby|central pacific standard time=Pacific/Guadalcanal
new zealand standard time=Pacific/Auckland|fiji standard time=Pacific/Fiji|tonga standard time=Pacific/Tongatapu|utc=UTC`;

const windowsZones = wordTable(PAIRS);
