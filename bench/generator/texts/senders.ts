/** Organisations that write to the owner. */
export interface Sender {
  name: string;
  email: string;
  topic: string;
  language: string;
  label: 'NEWSLETTERS' | 'RECEIPTS' | 'IMPORTANT';
}

type Row = readonly [name: string, topic: string, label: Sender['label'], language?: string];

const rows: Row[] = [
  ['Robot Weekly', 'robotics', 'NEWSLETTERS'],
  ['Changelog Digest', 'software', 'NEWSLETTERS'],
  ['The Slow Kitchen', 'cooking', 'NEWSLETTERS'],
  ['Crag Letter', 'climbing', 'NEWSLETTERS'],
  ['Field Notes', 'nature', 'NEWSLETTERS'],
  ['Vinyl Post', 'music', 'NEWSLETTERS'],
  ['Quiet Pages', 'reading', 'NEWSLETTERS'],
  ['Fernweh Magazin', 'travel', 'NEWSLETTERS'],
  ['Penny Wise', 'money', 'NEWSLETTERS'],
  ['Nordbank', 'money', 'IMPORTANT'],
  ['Hausverwaltung Lindner', 'home', 'IMPORTANT', 'de_notice'],
  ['Praxis Doktor Yilmaz', 'health', 'IMPORTANT'],
  ['Stadtbibliothek', 'reading', 'IMPORTANT', 'de_notice'],
  ['Kleingartenverein Sonnenhang', 'garden', 'IMPORTANT', 'de_notice'],
  ['Krankenkasse Mitte', 'health', 'IMPORTANT', 'de_notice'],
];

export const senders: Sender[] = rows.map(([name, topic, label, language = 'en']) => ({
  name,
  email: `hello@${name.toLowerCase().replaceAll(' ', '-')}.example`,
  topic,
  language,
  label,
}));
