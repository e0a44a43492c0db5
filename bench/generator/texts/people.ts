/** Somebody in the owner's life. The same people appear in mail, chat, calendar and code. */
export interface Person {
  /** Short and stable; user names and chat ids are made from it. */
  handle: string;
  name: string;
  email: string;
  language: 'en' | 'de' | 'es' | 'fr' | 'zh' | 'ja' | 'ar' | 'th' | 'hi';
  /** Job at work, role in the club, or relation to the owner. */
  role: string;
  /** Keys of the topics they talk about, most liked first. */
  topics: readonly string[];
}

type Row = readonly [name: string, language: Person['language'], role: string, topics: string];

function createPeople(domain: string, rows: readonly Row[]): Person[] {
  return rows.map(([name, language, role, topics]) => {
    const handle = name
      .normalize('NFD')
      .replace(/[^A-Za-z ]/g, '')
      .toLowerCase()
      .replaceAll(' ', '.');
    return { handle, name, email: `${handle}@${domain}`, language, role, topics: topics.split(' ') };
  });
}

export const owner: Person = {
  handle: 'nora.keller',
  name: 'Nora Keller',
  email: 'nora.keller@mail.example',
  language: 'en',
  role: 'Robotics engineer',
  topics: ['robotics', 'software', 'climbing'],
};

export const family = createPeople('mail.example', [
  ['Tomás Herrera', 'es', 'partner', 'home cooking travel music'],
  ['Ingrid Keller', 'de', 'mother', 'family garden health'],
  ['Matthias Keller', 'de', 'father', 'family home money'],
  ['Jonas Keller', 'en', 'brother', 'family music reading'],
  ['Pilar Herrera', 'es', 'mother-in-law', 'family cooking'],
]);

export const friends = createPeople('post.example', [
  ['Léa Martin', 'fr', 'friend', 'climbing travel cooking'],
  ['Kenji Watanabe', 'ja', 'friend', 'travel reading nature'],
  ['Wei Zhang', 'zh', 'friend', 'cooking software travel'],
  ['Layla Haddad', 'ar', 'friend', 'reading music family'],
  ['Priya Sharma', 'hi', 'friend', 'health software cooking'],
  ['Ploy Srisai', 'th', 'friend', 'climbing travel'],
  ['Amelia Brooks', 'en', 'friend', 'reading music nature'],
  ['Callum Fraser', 'en', 'friend', 'music travel home'],
]);

/** Halden Robotics, where the owner works. */
export const colleagues = createPeople('halden.example', [
  ['Helena Brandt', 'en', 'Head of engineering', 'planning hiring robotics'],
  ['Wei Zhang', 'en', 'Firmware engineer', 'robotics software'],
  ['Priya Sharma', 'en', 'Machine learning engineer', 'software robotics'],
  ['Oskar Lindholm', 'en', 'Mechanical engineer', 'robotics planning'],
  ['Fatima El Amrani', 'en', 'Product manager', 'planning hiring'],
  ['Dmitri Volkov', 'en', 'Backend engineer', 'software'],
  ['Sophie Laurent', 'fr', 'Field engineer', 'robotics travel'],
  ['Hiroshi Tanaka', 'ja', 'Controls engineer', 'robotics software'],
  ['Anke Vogel', 'de', 'Office manager', 'planning home'],
  ['Mateo Rossi', 'en', 'Test engineer', 'robotics software'],
  ['Grace Okafor', 'en', 'Customer success', 'planning travel'],
  ['Lukas Baumann', 'de', 'Electrician', 'robotics home'],
  ['Chiara Conti', 'en', 'Designer', 'planning music'],
  ['Samuel Osei', 'en', 'Supply chain', 'planning money robotics'],
  ['Yuki Mori', 'en', 'Data engineer', 'software nature'],
  ['Eva Novak', 'en', 'Recruiter', 'hiring planning'],
  ['Ruben de Vries', 'en', 'Site reliability', 'software planning'],
  ['Nadia Petrova', 'en', 'Finance', 'money planning'],
  ['Jakob Steiner', 'de', 'Apprentice', 'robotics climbing'],
  ['Mei Lin', 'zh', 'Vision engineer', 'software robotics'],
]);

/** The climbing club. */
export const climbers = createPeople('kletterfreunde.example', [
  ['Léa Martin', 'fr', 'Trip organiser', 'climbing travel'],
  ['Jakob Steiner', 'de', 'Youth trainer', 'climbing health'],
  ['Ploy Srisai', 'th', 'Route setter', 'climbing travel'],
  ['Anton Weiss', 'de', 'Treasurer', 'climbing money'],
  ['Beatriz Gómez', 'es', 'Trainer', 'climbing health'],
  ['Finn Larsen', 'en', 'Member', 'climbing music'],
  ['Greta Hoffmann', 'de', 'Gear keeper', 'climbing home'],
  ['Idris Khan', 'en', 'Member', 'climbing nature'],
  ['Marta Kowalska', 'en', 'Member', 'climbing cooking'],
  ['Tomás Herrera', 'es', 'Member', 'climbing cooking'],
  ['Ursula Frei', 'de', 'Hut keeper', 'climbing travel garden'],
]);

/** People the owner writes with from the private mailbox, the closest first. */
export const correspondents = [
  ...family,
  ...friends,
  ...climbers.filter((person) => person.role !== 'Member'),
];
