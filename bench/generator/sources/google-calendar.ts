import { googleCalendarDeclaration } from '../../../src/sources/google-calendar/google-calendar-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import { createRandom, type Random } from '../random.ts';
import { owner } from '../texts/people.ts';
import {
  countYears,
  createTimeline,
  type Timeline,
  writeEmittedAt,
  writeIso,
  writeLocalIso,
} from '../timeline.ts';
import { createTrips, type Trip } from '../trips.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { type Appointment, drawAppointment } from './google-calendar-appointments.ts';

const day = 86_400_000;
const quarter = 900_000;
const hours = [0, 0, 0, 0, 0, 0, 0, 6, 9, 9, 8, 6, 4, 7, 8, 6, 5, 5, 6, 5, 2, 0, 0, 0];
const statuses: ['confirmed' | 'tentative' | 'cancelled', number][] = [
  ['confirmed', 90],
  ['tentative', 6],
  ['cancelled', 4],
];

export const googleCalendar: GeneratedSource = {
  declaration: googleCalendarDeclaration,
  connections: [
    {
      connection_id: 'google_calendar',
      connector_key: 'google_calendar',
      display_name: 'Calendar',
      self: [owner.email, owner.name],
    },
  ],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'google_calendar');
    const timeline = createTimeline(until, countYears(records, 500), hours);
    const trips = createTrips(seed, timeline.years, until).slice(-Math.floor(records / 4));
    yield* createBatches('google_calendar', 'events', createLines(random, timeline, records, trips));
  },
};

/** One day after another, each in the order of its hours. */
function* createLines(
  random: Random,
  timeline: Timeline,
  records: number,
  trips: Trip[],
): Generator<GeneratedLine> {
  const planned = records >= 4 ? [...trips] : [];
  const count = records - planned.length;
  let today: Dated[] = [];
  for (let index = 0; index < count; index++) {
    const exact = timeline.at((index + random.next()) / count);
    const drawn = exact - (exact % quarter);
    if (today[0] !== undefined && dayOf(today[0].start) !== dayOf(drawn)) {
      yield* tellDay(today);
      today = [];
    }
    while (planned[0] && planned[0].start <= drawn)
      today.push(createTripLine(random, planned.shift() as Trip));
    const appointment = drawAppointment(random, drawn);
    const start = findHour(drawn, appointment, today, timeline.end);
    const hostile = findHostileText(index, count);
    if (hostile) appointment.title = hostile;
    const id = `ev${(start / quarter).toString(36)}x${index.toString(36)}`;
    today.push({ start, title: appointment.title, line: createLine(random, id, start, appointment, 0) });
  }
  yield* tellDay(today);
  for (const trip of planned) yield createTripLine(random, trip).line;
}

interface Dated {
  readonly start: number;
  readonly title: string;
  readonly line: GeneratedLine;
}

const dayOf = (moment: number) => Math.floor(moment / day);

function* tellDay(today: readonly Dated[]): Generator<GeneratedLine> {
  for (const { line } of today.toSorted((one, other) => one.start - other.start)) yield line;
}

/** The hour that such a thing has, unless the day has one already or that hour is still to come. */
function findHour(drawn: number, { title, hour }: Appointment, today: readonly Dated[], end: number): number {
  const usual = dayOf(drawn) * day + (hour ?? 0) * 3_600_000;
  const isFree = hour !== undefined && usual <= end && !today.some((one) => one.title === title);
  return isFree ? usual : drawn;
}

function createTripLine(random: Random, trip: Trip): Dated {
  const { start, nights } = trip;
  const what = describeTrip(trip);
  const line = createLine(random, `trip${(start / day).toString(36)}`, start, what, nights + 1);
  return { start, title: what.title, line };
}

function describeTrip(trip: Trip): Appointment {
  const calendar = { holiday: 'personal', family: 'personal', climbing: 'climbing', work: 'work' } as const;
  return {
    title: `${trip.place} (${trip.purpose})`,
    description: `${trip.carrier}, booking ${trip.booking_code}. ${trip.hotel}, ${trip.nights} nights.`,
    location: `${trip.place}, ${trip.country}`,
    calendar: calendar[trip.purpose],
    attendees: trip.companions,
    minutes: 0,
    series_id: null,
  };
}

/** Private events are stored with the local offset, those of others in UTC, as calendars do. */
function createLine(
  random: Random,
  id: string,
  start: number,
  what: Appointment,
  allDays: number,
): GeneratedLine {
  const write = what.calendar === 'personal' ? writeLocalIso : writeIso;
  const organizer = random.chance(0.4) ? what.attendees[0] : undefined;
  const data = {
    id,
    title: what.title,
    description: what.description,
    location: what.location,
    starts_at: write(start),
    ends_at: write(allDays > 0 ? start + allDays * day : start + what.minutes * 60_000),
    duration_minutes: allDays > 0 ? allDays * (day / 60_000) : what.minutes,
    is_all_day: allDays > 0,
    status: allDays > 0 ? 'confirmed' : random.weighted(statuses),
    calendar: what.calendar,
    organizer_email: organizer?.email ?? owner.email,
    attendees: [owner.name, ...what.attendees.map((person) => person.name)],
    series_id: what.series_id,
  };
  return { key: id, data, emitted_at: writeEmittedAt(start) };
}
