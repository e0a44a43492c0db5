import type { DemoLine } from '../../src/demo/read-demo.ts';
import { BOOKS } from './books.ts';
import { createId, createLine } from './line.ts';
import { addMinutes, at, instant, local, type Moment, parseMoment, rank } from './moment.ts';
import { isBouldering, isInCopenhagen, isInOffice, isInSpain, WEEKS } from './weeks.ts';

const CONNECTION = 'calendar_nora';
const DAY_MINUTES = 24 * 60;
const FIRST = at(-52, 1, '00:01');

interface Event {
  readonly title: string;
  readonly start: Moment;
  readonly minutes: number;
  readonly calendar: 'Personal' | 'Family' | 'Work';
  readonly location?: string;
  readonly with?: readonly string[];
  readonly description?: string;
  readonly series?: string;
  readonly status?: 'confirmed' | 'tentative' | 'cancelled';
  /** Days of an event that has no clock times. */
  readonly days?: number;
}

const ADDRESSES: Record<string, string> = {
  'Tomás Herrera': 'tomas.herrera@mail.example',
  'Léa Martin': 'lea.martin@post.example',
  'Helena Brandt': 'helena.brandt@halden.example',
  'Priya Sharma': 'priya.sharma@halden.example',
  'Mateo Rossi': 'mateo.rossi@halden.example',
  'Oskar Lindholm': 'oskar.lindholm@halden.example',
  'Fatima El Amrani': 'fatima.elamrani@halden.example',
  'Amelia Brooks': 'amelia.brooks@post.example',
  'Callum Fraser': 'callum.fraser@post.example',
  'Jonas Keller': 'jonas.keller@post.example',
  'Ingrid Keller': 'ingrid.keller@mail.example',
  'Kenji Watanabe': 'kenji.watanabe@post.example',
  'Finn Larsen': 'finn.larsen@post.example',
  'Beatriz Gómez': 'beatriz.gomez@post.example',
};

const TEAM = ['Priya Sharma', 'Mateo Rossi', 'Oskar Lindholm', 'Fatima El Amrani'];

/** Appointments of the year and of the weeks ahead. */
export function createCalendar(): DemoLine[] {
  return [...listWeekly(), ...listBookClubs(), ...listSingle()].map(createEvent);
}

function createEvent(event: Event): DemoLine {
  const { title, start, minutes, calendar, days = 0, status = 'confirmed' } = event;
  const length = days > 0 ? days * DAY_MINUTES : minutes;
  // A repeating appointment is entered weeks before, anything else about a week before.
  const created = addMinutes({ ...start, seconds: 18 * 3_600 }, -DAY_MINUTES * findLead(event));
  const others = event.with ?? [];
  return createLine(CONNECTION, 'events', rank(created) < rank(FIRST) ? FIRST : created, {
    id: createId('event', title, start.week, start.day, start.seconds),
    title,
    description: event.description ?? null,
    location: event.location ?? null,
    starts_at: local(start),
    ends_at: local(addMinutes(start, length)),
    duration_minutes: length,
    is_all_day: days > 0,
    status,
    calendar,
    organizer_email:
      calendar === 'Work' && others[0] !== undefined && !title.startsWith('Gripper')
        ? ADDRESSES[others[0]]
        : 'nora.keller@mail.example',
    attendees: ['Nora Keller', ...others],
    attendee_emails: [
      'nora.keller@mail.example',
      ...others.map((name) => ADDRESSES[name] ?? '').filter(Boolean),
    ],
    series_id: event.series === undefined ? null : createId('series', event.series),
    created_at: instant(created),
  });
}

/** Days between the entry in the calendar and the event. What lies ahead was entered before this week. */
function findLead({ start, series, days = 0 }: Event): number {
  const usual = series !== undefined ? 28 : days > 1 ? 60 : 8;
  return start.week > 0 ? Math.max(usual, start.week * 7 + start.day + 1) : usual;
}

/** Weekly planning, one-on-ones, bouldering and swimming, also for the next three weeks. */
function listWeekly(): Event[] {
  return [...WEEKS, 1, 2, 3].flatMap((week) => {
    const events: Event[] = [];
    if (isInOffice(week, 1))
      events.push({
        title: week < -39 ? 'Weekly planning' : 'Gripper team: weekly planning',
        start: at(week, 1, '10:00'),
        minutes: 60,
        calendar: 'Work',
        location: 'Room Elbe',
        with: week < -2 ? TEAM : TEAM.filter((name) => name !== 'Oskar Lindholm'),
        series: 'planning',
      });
    if (isInOffice(week, 4) && week % 2 === 0)
      events.push({
        title: 'One-on-one with Helena',
        start: at(week, 4, '14:00'),
        minutes: 45,
        calendar: 'Work',
        with: ['Helena Brandt'],
        series: 'one-on-one',
      });
    if (isInOffice(week, 5) && week % 4 === 0)
      events.push({
        title: 'Demo of the test cell',
        start: at(week, 5, '11:00'),
        minutes: 45,
        calendar: 'Work',
        location: 'Hall 2',
        with: ['Fatima El Amrani', ...TEAM.slice(0, 2)],
        series: 'demo',
      });
    if (!isInSpain(week, 2) && !isInCopenhagen(week, 2))
      events.push({
        title: 'Bouldering with Léa',
        start: at(week, 2, '18:30'),
        minutes: 120,
        calendar: 'Personal',
        location: 'Boulderwerk',
        with: ['Léa Martin', 'Finn Larsen', 'Beatriz Gómez'],
        series: 'bouldering',
        status: isBouldering(week) ? 'confirmed' : 'cancelled',
      });
    if (!isInSpain(week, 3))
      events.push({
        title: 'Swimming lesson Mila',
        start: at(week, 3, '16:00'),
        minutes: 45,
        calendar: 'Family',
        location: 'Schwimmschule Delfin',
        series: 'swimming',
      });
    return events;
  });
}

function listBookClubs(): Event[] {
  return BOOKS.map(({ week, title, author, host }) => ({
    title: `Book club: ${title}`,
    start: at(week, 3, '20:00'),
    minutes: 150,
    calendar: 'Personal',
    location: host === 'Nora' ? 'Lindenstraße 14' : `At ${host}'s`,
    with: ['Amelia Brooks', 'Callum Fraser', 'Priya Sharma'],
    description: author,
    series: 'book club',
  }));
}

type Row = readonly [
  when: string,
  minutes: number,
  title: string,
  calendar: Event['calendar'],
  location?: string,
  others?: string,
  description?: string,
];

const single: readonly Row[] = [
  ['w-51.4 08:30', 30, 'Dentist check-up', 'Personal', 'Praxis Dr. Yilmaz'],
  ['w-50.4 19:00', 90, "Parents' evening 2b", 'Family', 'Grundschule Mühlenteich'],
  ['w-49.1 14:00', 60, 'Review: gripper v3', 'Work', 'Room Alster', 'Oskar Lindholm, Mateo Rossi'],
  ['w-48.5 19:00', 120, 'Dinner at Da Enzo', 'Family', 'Pizzeria Da Enzo', 'Tomás Herrera'],
  ['w-45.6 15:00', 180, "Emil's birthday", 'Family', "At Sandra's"],
  ['w-44.5 16:20', 60, 'Pilar arrives', 'Family', 'Hamburg Airport', 'Tomás Herrera'],
  ['w-43.2 10:30', 210, 'Miniatur Wunderland with Pilar', 'Family', 'Speicherstadt', 'Tomás Herrera'],
  ['w-43.5 14:10', 60, 'Pilar flies home', 'Family', 'Hamburg Airport', 'Tomás Herrera'],
  ['w-42.6 11:00', 240, 'Zoo', 'Family', 'Zoo Hagenbeck', 'Tomás Herrera'],
  ['w-41.4 10:15', 20, 'Doctor', 'Personal', 'Praxis Dr. Winter'],
  ['w-39.3 15:30', 45, 'Talk with Helena', 'Work', 'Room Elbe', 'Helena Brandt'],
  ['w-39.5 19:30', 150, 'Dinner at Casa Lucía', 'Family', 'Casa Lucía', 'Tomás Herrera', 'To the new role'],
  ['w-37.2 09:00', 45, 'One-on-one with Priya', 'Work', 'Room Alster', 'Priya Sharma'],
  ['w-37.2 10:00', 45, 'One-on-one with Mateo', 'Work', 'Room Alster', 'Mateo Rossi'],
  ['w-37.3 09:00', 45, 'One-on-one with Oskar', 'Work', 'Room Alster', 'Oskar Lindholm'],
  ['w-36.2 07:51', 279, 'Train to Copenhagen', 'Work', 'Hamburg Hbf', '', 'Order NB-478833'],
  ['w-36.3 09:00', 420, 'Customer visit', 'Work', 'Copenhagen', 'Mateo Rossi'],
  ['w-36.4 15:26', 278, 'Train home', 'Work', 'København H', '', 'Order NB-478833'],
  ['w-35.4 16:00', 60, 'What we learned in Copenhagen', 'Work', 'Room Elbe', 'Mateo Rossi, Fatima El Amrani'],
  ['w-34.6 11:00', 240, 'School fair: cake stand', 'Family', 'Grundschule Mühlenteich', 'Tomás Herrera'],
  [
    'w-33.2 13:00',
    30,
    'Review: fingers for wet cardboard',
    'Work',
    'Room Alster',
    'Oskar Lindholm, Priya Sharma',
  ],
  ['w-31.4 11:00', 90, 'Washing machine: technician', 'Family', 'Lindenstraße 14'],
  ['w-31.5 19:00', 180, "Women's night", 'Personal', 'Boulderwerk', 'Léa Martin, Beatriz Gómez'],
  ['w-30.2 14:00', 240, 'Washing machine: delivery', 'Family', 'Lindenstraße 14', 'Tomás Herrera'],
  ['w-26.5 09:30', 60, 'Interview: test engineer', 'Work', 'Room Elbe', 'Helena Brandt, Mateo Rossi'],
  ['w-25.5 16:00', 150, 'Emil comes home with Mila', 'Family', 'Lindenstraße 14'],
  ['w-24.3 15:00', 40, 'Check-up U10 Mila', 'Family', 'Kinderarztpraxis an der Elbe'],
  ['w-22.5 15:53', 30, 'Kenji arrives', 'Personal', 'Hamburg Hbf', 'Kenji Watanabe'],
  ['w-22.6 19:00', 120, 'Ramen with Kenji', 'Personal', 'Ramen Kōji', 'Kenji Watanabe, Tomás Herrera'],
  ['w-22.7 10:30', 90, 'Breakfast with Kenji', 'Personal', 'Café Elbblick', 'Kenji Watanabe, Tomás Herrera'],
  ['w-20.4 08:20', 20, 'Passport Mila', 'Family', 'Kundenzentrum Altona, room 112'],
  ['w-19.4 15:00', 60, 'Review with Helena', 'Work', 'Room Elbe', 'Helena Brandt'],
  [
    'w-18.6 10:25',
    165,
    'Flight to Valencia',
    'Family',
    'Hamburg Airport',
    'Tomás Herrera',
    'LV 2204, booking LV7Q2K',
  ],
  ['w-17.2 10:00', 300, 'Oceanogràfic with the cousins', 'Family', 'Valencia', 'Tomás Herrera'],
  ['w-17.4 21:00', 150, 'Dinner with Marta', 'Family', 'Restaurante Levante, Valencia', 'Tomás Herrera'],
  [
    'w-17.6 11:00',
    30,
    'Pick up the rental car',
    'Family',
    'Estación Joaquín Sorolla, Valencia',
    '',
    'CD-55107',
  ],
  ['w-16.3 12:00', 420, 'Marta and the cousins in Dénia', 'Family', 'Dénia', 'Tomás Herrera'],
  [
    'w-16.6 14:00',
    170,
    'Flight home',
    'Family',
    'Valencia Airport',
    'Tomás Herrera',
    'LV 2205, booking LV7Q2K',
  ],
  ['w-14.5 16:00', 45, 'Interview: test engineer', 'Work', 'Room Elbe', 'Helena Brandt, Mateo Rossi'],
  [
    'w-12.6 14:00',
    180,
    "Mila's birthday party",
    'Family',
    'Boulderwerk',
    'Tomás Herrera',
    '8 children, trainer Malte',
  ],
  ['w-11.5 19:00', 120, 'Dinner at Da Enzo', 'Family', 'Pizzeria Da Enzo', 'Tomás Herrera'],
  [
    'w-10.2 13:00',
    60,
    'Review: microphone in the fingertip',
    'Work',
    'Room Alster',
    'Priya Sharma, Mateo Rossi',
  ],
  ['w-9.2 08:00', 120, 'Plumber', 'Family', 'Lindenstraße 14', 'Tomás Herrera'],
  [
    'w-9.5 20:00',
    120,
    'Mahler 5',
    'Personal',
    'Elbphilharmonie',
    'Tomás Herrera',
    '15 K, row 3, seats 11 and 12',
  ],
  ['w-8.4 09:00', 180, 'Painter: bathroom ceiling', 'Family', 'Lindenstraße 14', 'Tomás Herrera'],
  ['w-7.2 14:30', 60, 'Quarterly planning', 'Work', 'Room Elbe', 'Helena Brandt, Fatima El Amrani'],
  ['w-6.7 10:00', 120, 'Elbe 10', 'Personal', 'Landungsbrücken', 'Léa Martin', '10 km, number 2417, block C'],
  ['w-4.3 18:45', 45, 'Police: report the bike', 'Personal', 'Polizeikommissariat 41'],
  [
    'w-4.5 19:00',
    120,
    'Dinner at Casa Lucía',
    'Family',
    'Casa Lucía',
    'Tomás Herrera',
    'Bakery book two is signed',
  ],
  ['w-3.4 13:00', 60, 'Handover with Oskar', 'Work', 'Hall 2', 'Oskar Lindholm, Mateo Rossi'],
  [
    'w-2.5 19:00',
    150,
    "Oskar's farewell dinner",
    'Work',
    'Ramen Kōji',
    'Fatima El Amrani, Oskar Lindholm, Priya Sharma',
  ],
  ['w-1.2 15:00', 90, 'Craft afternoon, Tomás helps', 'Family', 'Hort', 'Tomás Herrera'],
  [
    'w-1.6 13:00',
    300,
    "Mama's 70th birthday",
    'Family',
    'Schiffergarten, Lübeck',
    'Tomás Herrera, Jonas Keller, Ingrid Keller',
  ],
  ['w0.2 13:30', 45, 'Review: acceptance test', 'Work', 'Room Alster', 'Priya Sharma, Mateo Rossi'],
  ['w0.3 11:00', 45, 'Hairdresser', 'Personal', 'Friseur Schnittstelle'],
  ['w0.5 19:00', 120, 'Dinner at Da Enzo', 'Family', 'Pizzeria Da Enzo', 'Tomás Herrera'],
  ['w+1.2 08:30', 30, 'Dentist check-up', 'Personal', 'Praxis Dr. Yilmaz'],
  ['w+1.4 19:00', 90, "Parents' evening 3b", 'Family', 'Grundschule Mühlenteich', 'Tomás Herrera'],
  ['w+3.2 09:00', 420, 'Customer visit', 'Work', 'Copenhagen', 'Mateo Rossi'],
  ['w+5.6 19:00', 240, "Finn's birthday", 'Personal', 'Boulderwerk', 'Finn Larsen, Léa Martin'],
];

const allDay: readonly (readonly [
  when: string,
  days: number,
  title: string,
  calendar: Event['calendar'],
  location: string,
  others?: string,
])[] = [
  ['w-47.6', 2, "Weekend at Mama's", 'Family', 'Lübeck', 'Tomás Herrera, Ingrid Keller'],
  ['w-36.2', 3, 'Copenhagen', 'Work', 'Copenhagen', 'Mateo Rossi'],
  ['w-27.4', 4, 'Fontainebleau', 'Personal', 'Milly-la-Forêt', 'Léa Martin, Finn Larsen, Beatriz Gómez'],
  ['w-18.6', 15, 'Valencia and Dénia', 'Family', 'Valencia', 'Tomás Herrera'],
  ['w-12.4', 1, "Mila's birthday", 'Family', '', 'Tomás Herrera'],
  ['w-1.6', 2, "Weekend at Mama's", 'Family', 'Lübeck', 'Tomás Herrera, Ingrid Keller'],
  ['w+3.1', 3, 'Copenhagen', 'Work', 'Copenhagen', 'Mateo Rossi'],
];

function listSingle(): Event[] {
  const names = (text = '') => text.split(', ').filter((name) => name !== '');
  return [
    ...single.map(
      ([when, minutes, title, calendar, location, others, description]): Event => ({
        start: parseMoment(when),
        minutes,
        title,
        calendar,
        with: names(others),
        ...(location ? { location } : {}),
        ...(description ? { description } : {}),
      }),
    ),
    ...allDay.map(
      ([when, days, title, calendar, location, others]): Event => ({
        start: parseMoment(`${when} 00:00`),
        minutes: 0,
        days,
        title,
        calendar,
        with: names(others),
        ...(location ? { location } : {}),
      }),
    ),
  ];
}
