import { type Scene, writeCode } from '../fill-template.ts';
import type { Random } from '../random.ts';
import type { Talk } from '../talks.ts';
import { closings, openings } from '../texts/frames.ts';
import { merchants } from '../texts/merchants.ts';
import { correspondents, owner, type Person } from '../texts/people.ts';
import { rareNames } from '../texts/places.ts';
import { senders } from '../texts/senders.ts';
import { writeDate } from '../timeline.ts';
import type { Trip } from '../trips.ts';
import { createScene, writeText, writeTitle } from '../write-text.ts';

/** A mail thread with everything its messages share. */
export interface Thread extends Talk {
  id: string;
  kind: 'letter' | 'newsletter' | 'receipt' | 'booking';
  subject: string;
  scene: Scene;
  /** The others, the one who writes first in front. */
  others: { name: string; email: string }[];
  labels: string[];
}

type Content = Pick<Thread, 'kind' | 'subject' | 'scene' | 'others' | 'labels'>;
type Kind = 'letter' | 'newsletter' | 'receipt' | 'stranger';

const kinds: [Kind, number][] = [
  ['letter', 45],
  ['newsletter', 28],
  ['receipt', 20],
  ['stranger', 7],
];

/** What a thread is about and with whom. Only people answer one another, so long threads are letters. */
export function drawContent(random: Random, size: number): Content {
  switch (size > 2 ? 'letter' : random.weighted(kinds)) {
    case 'letter':
      return createLetter(random, correspondents[random.zipf(correspondents.length)] as Person);
    case 'newsletter': {
      const sender = random.pick(senders);
      const scene = createScene(random, sender.topic, sender.language, 'news');
      const subject = writeTitle(random, scene);
      return { kind: 'newsletter', subject, scene, others: [sender], labels: ['INBOX', sender.label] };
    }
    case 'receipt': {
      const { name } = random.weighted(merchants);
      const email = `receipts@${writeAddressPart(name)}.example`;
      const subject = `Your receipt from ${name}, number ${writeCode(random)}`;
      const scene = createScene(random, 'money');
      return { kind: 'receipt', subject, scene, others: [{ name, email }], labels: ['INBOX', 'RECEIPTS'] };
    }
    default: {
      const surname = random.pick(rareNames);
      const scene = createScene(random, random.pick(['home', 'music', 'reading', 'planning', 'garden']));
      const other = {
        name: `${random.pick(['Anna', 'Paul', 'Ida', 'Emil', 'Rosa', 'Hugo'])} ${surname}`,
        email: `${writeAddressPart(surname)}@post.example`,
      };
      return {
        kind: 'letter',
        subject: writeTitle(random, scene),
        scene,
        others: [other],
        labels: ['INBOX'],
      };
    }
  }
}

const writeAddressPart = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

function createLetter(random: Random, person: Person): Content {
  const language = random.chance(0.6) ? person.language : 'en';
  const scene = createScene(random, random.pick(person.topics), language);
  const others: Person[] = [person];
  const second = random.pick(correspondents);
  if (random.chance(0.15) && second !== person) others.push(second);
  return {
    kind: 'letter',
    subject: writeTitle(random, scene),
    scene,
    others,
    labels: ['INBOX', 'IMPORTANT'],
  };
}

export function createBookingContent(random: Random, trip: Trip): Content {
  const other = {
    name: trip.carrier,
    email: `booking@${trip.carrier.toLowerCase().replaceAll(' ', '-')}.example`,
  };
  const subject = `Booking confirmation ${trip.booking_code}: ${trip.place}, ${writeDate(trip.start)}`;
  const scene = { ...createScene(random, 'travel'), place: trip.place };
  return { kind: 'booking', subject, scene, others: [other], labels: ['INBOX', 'TRAVEL'] };
}

export function createPlanningContent(random: Random, trip: Trip): Content {
  const scene = {
    ...createScene(random, trip.purpose === 'climbing' ? 'climbing' : 'travel'),
    place: trip.place,
  };
  const month = new Date(trip.start).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  const subject = `${trip.place} in ${month}`;
  return { kind: 'letter', subject, scene, others: trip.companions, labels: ['INBOX', 'TRAVEL'] };
}

export function writeBody(
  random: Random,
  thread: Thread,
  scene: Scene,
  position: number,
  [from, to]: readonly [string, string],
): string {
  switch (thread.kind) {
    case 'booking': {
      const { place, country, nights, start, hotel, fare, hotel_price, carrier, booking_code } =
        thread.trip as Trip;
      if (position > 0)
        return `Check-in for ${booking_code} to ${place} is open. Please have your identity card at hand.`;
      return (
        `Thank you for booking with ${carrier}. Passenger: ${owner.name}. Destination: ${place}, ${country}. ` +
        `Outbound ${writeDate(start)}, return ${writeDate(start + nights * 86_400_000)}. Fare: ${fare.toFixed(2)} EUR. ` +
        `Your stay: ${hotel}, ${nights} nights, ${hotel_price.toFixed(2)} EUR. Reference ${booking_code}.`
      );
    }
    case 'receipt':
      return `Thank you for your purchase. Total: ${random.bell(40, 18).toFixed(2)} EUR, paid by card. Keep this mail for your records, receipt ${writeCode(random)}.`;
    case 'newsletter': {
      // The second mail of a sender is the next issue.
      const issue = position === 0 ? scene : createScene(random, scene.topic.key, scene.language, 'news');
      return writeText(random, issue, issue.story.lines.length);
    }
    default: {
      const text = writeText(random, scene, random.int(1, 3));
      if (scene.language !== 'en') return text;
      const opening = random.pick(openings).replace('{person}', to);
      return `${opening}\n\n${text}\n\n${random.pick(closings)}\n${from}`;
    }
  }
}
