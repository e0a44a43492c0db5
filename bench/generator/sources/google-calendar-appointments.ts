import type { Random } from '../random.ts';
import { climbers, colleagues, correspondents, friends, type Person } from '../texts/people.ts';
import { createScene, writeText, writeTitle } from '../write-text.ts';

/** What stands in the calendar, without the when. */
export interface Appointment {
  title: string;
  description: string | null;
  location: string | null;
  calendar: 'personal' | 'work' | 'climbing';
  attendees: Person[];
  minutes: number;
  series_id: string | null;
  /** The hour at which such a thing begins, where it has one. */
  hour?: number;
}

type Series = readonly [
  title: string,
  location: string,
  calendar: Appointment['calendar'],
  minutes: number,
  hour: number,
];

const workSeries: [Series, number][] = [
  [['Standup', 'Room Fjord', 'work', 15, 8], 30],
  [['One-on-one with Helena', 'Room Lagoon', 'work', 30, 9.5], 8],
  [['Lab session: gripper', 'Test hall', 'work', 120, 13], 8],
  [['Sprint planning', 'Room Fjord', 'work', 60, 12], 5],
  [['Retrospective', 'Room Delta', 'work', 60, 14], 4],
];
const freeSeries: [Series, number][] = [
  [['Bouldering with Léa', 'Kletterhalle Ostkreuz', 'climbing', 150, 17], 10],
  [['Club training', 'Kletterhalle Ostkreuz', 'climbing', 120, 17.5], 8],
  [['Physiotherapy', 'Physio Zentrum, Gartenstraße 8', 'personal', 30, 7.5], 2],
  [['Spanish with Pilar', 'Phone', 'personal', 45, 16.5], 4],
  [['Choir', 'Kulturhaus', 'personal', 90, 18], 4],
];

/** One date of a repeating appointment, or something that happens once: work in working hours. */
export function drawAppointment(random: Random, start: number): Appointment {
  const at = new Date(start);
  const isWork = at.getUTCHours() < 16 && at.getUTCDay() > 0 && at.getUTCDay() < 6 && random.chance(0.9);
  if (random.chance(0.55)) return createSeriesDate(random, isWork ? workSeries : freeSeries);
  return isWork ? createMeeting(random) : createPrivateDate(random);
}

function createSeriesDate(random: Random, series: [Series, number][]): Appointment {
  const [title, location, calendar, minutes, hour] = random.weighted(series);
  const attendees = { work: colleagues.slice(0, 6), climbing: climbers.slice(0, 5), personal: [] }[calendar];
  const series_id = `series_${title.toLowerCase().replace(/[^a-z]+/g, '_')}`;
  const description = random.chance(0.1)
    ? writeText(random, createScene(random, 'planning', 'en', 'work'), 2)
    : null;
  return {
    title,
    description: calendar === 'work' ? description : null,
    location,
    calendar,
    attendees,
    minutes,
    series_id,
    hour,
  };
}

function createMeeting(random: Random): Appointment {
  const first = random.pick(colleagues);
  const scene = createScene(random, random.pick(first.topics), 'en', 'work');
  return {
    title: writeTitle(random, scene),
    description: writeText(random, scene, random.int(2, 4)),
    location: random.pick(['Room Fjord', 'Room Lagoon', 'Room Delta', 'Video call', 'Test hall']),
    calendar: 'work',
    attendees: [first, random.pick(colleagues)],
    minutes: random.pick([30, 45, 60, 90]),
    series_id: null,
  };
}

function createPrivateDate(random: Random): Appointment {
  const person = random.pick(random.chance(0.5) ? friends : correspondents);
  const scene = createScene(random, random.pick(person.topics), random.chance(0.3) ? person.language : 'en');
  const name = person.name.split(' ')[0] as string;
  const own = writeTitle(random, scene);
  const plans: Plan[] = [
    [`Dinner with ${name}`, { hour: 17.5 }],
    [`Call ${name}`, { location: null }],
    [`Coffee with ${name}`, { hour: 14, location: 'Café Morgenrot' }],
    [`Concert with ${name}`, { hour: 18.5, location: 'Konzerthaus' }],
    [`${name} visits`, { location: 'Home' }],
    [`Walk with ${name}`, { hour: 13, location: 'Botanical garden' }],
    [`Birthday of ${name}`, { hour: 17, location: 'Home' }],
    ['Dentist, Praxis Doktor Yilmaz', { hour: 7.5, location: 'Gartenstraße 21', minutes: 30 }],
    [own, {}],
  ];
  const [title, known] = random.pick(plans);
  const description = random.chance(0.5) ? writeText(random, scene, random.int(1, 3)) : null;
  return {
    title,
    // What the story says is about what it is called.
    description: title === own ? description : null,
    location: random.pick(['Café Morgenrot', 'Ramen Ya', 'Home', 'Trattoria Conti', 'Tapas Valencia', null]),
    calendar: 'personal',
    attendees: title.startsWith('Dentist') ? [] : [person],
    minutes: random.pick([60, 90, 120]),
    series_id: null,
    ...known,
  };
}

type Plan = readonly [title: string, known: Partial<Appointment>];
