import type { ImportItem, InputFile } from '../../import/importer.ts';
import { openTable } from '../../import/read/read-table.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { splitList, wordList } from '../values/words.ts';
import {
  addContactPoint,
  addTo,
  createPerson,
  describeDuplicates,
  type Person,
  type PersonKeys,
  writeBirthday,
} from './person.ts';

type Row = Readonly<Record<string, string>>;

/** Column names of Google (old and new), Outlook, Thunderbird and Yahoo, in lower case. */
const NAMES = {
  name: ['name', 'display name', 'file as', 'full name'],
  given_name: ['given name', 'first name', 'first', 'vorname', 'prénom', 'nombre', 'nome', 'voornaam'],
  family_name: wordList('family name|last name|last|nachname|nom|apellidos|cognome|achternaam|sobrenome'),
  nickname: ['nickname', 'spitzname'],
  organization: wordList(`organization 1 - name|organization name|company|organization|firma|société|
    organización|società|bedrijf`),
  job_title: ['organization 1 - title', 'organization title', 'job title', 'position', 'titre'],
  note: ['notes', 'note', 'notizen', 'remarques'],
} as const;
const EMAIL =
  /^(?:e-mail \d+ - value|e-mail (?:\d )?address|e-?mail ?\d?|(?:primary|secondary) email|e-mail-adresse|e-mail \d: adresse|adresse (?:de messagerie|e-mail)(?: \d)?|dirección de correo(?: electrónico)?(?: \d)?|indirizzo (?:posta elettronica|e-mail)(?: \d)?|e-mailadres(?: \d)?|endereço de e-?mail(?: \d)?)$/;
const PHONE =
  /^(?:phone \d+ - value|.*\b(?:phone|fax|pager|mobile|\w*telefon\w*|handy|t[ée]l[ée]fono?|téléphone|mobiltelefon|cellulare|telefoon|celular)\b(?! \d+ - (?:type|label)).*|work|mobile \d)$/;
const ADDRESS = /^address \d+ - formatted$/;
const STREET =
  /^(home|business|other|work) (?:street|address|city|state|postal code|zip ?code|country|country\/region)$/;
const URL_COLUMN =
  /^(?:website \d+ - value|web page(?: 1| 2)?|personal website|business website|personal web page)$/;
const BIRTHDAY = /^(?:birthday|geburtstag|anniversaire|cumpleaños|compleanno|verjaardag|aniversário)$/;
const GROUPS = /^(?:group membership|labels|categories|kategorien)$/;

/** Returns whether the columns are those of an address book, and not of another list of people. */
export function isContactTable(columns: readonly string[]): boolean {
  const names = new Set(columns.map((column) => column.toLowerCase()));
  if (names.has('connected on')) return false;
  const hasName = [...NAMES.given_name, ...NAMES.family_name].some((name) => names.has(name));
  const hasGoogleColumns = [...names].some((name) => /^(?:e-mail|phone) 1 - value$/.test(name));
  const hasContactColumn = ['e-mail address', 'primary email', 'e-mail-adresse', 'mobile phone'].some(
    (name) => names.has(name),
  );
  // Less specific columns indicate an address book only in combination.
  const hasBoth = [NAMES.given_name, NAMES.family_name].every((some) => some.some((name) => names.has(name)));
  const some = (pattern: RegExp) => [...names].some((name) => pattern.test(name));
  return hasGoogleColumns || (hasName && hasContactColumn) || (hasBoth && some(EMAIL) && some(PHONE));
}

export async function* readContactTable(file: InputFile, keys: PersonKeys): AsyncGenerator<ImportItem> {
  const table = await openTable(file);
  if (table === undefined) return;
  let copies = 0;
  yield* readEach(file, table.rows(), function* (row) {
    const place = `line ${row.line}`;
    const data = keys.toRecord(readPerson(row.values), file);
    if (data === 'copy') copies += 1;
    else if (data === undefined) yield makeProblem(file, 'has neither a name nor an address', place);
    else yield makeRecord(file, 'people', data, place);
  });
  if (copies > 0) yield makeNote(file, describeDuplicates(copies));
}

function readPerson(row: Row): Person {
  const person = createPerson();
  const streets = new Map<string, string[]>();
  for (const [column, cell] of Object.entries(row)) {
    const name = column.toLowerCase();
    // Google puts several values in one cell.
    const values = splitList(cell, ' ::: ');
    const [first] = values;
    if (first === undefined) continue;
    for (const [field, columns] of Object.entries(NAMES))
      if ((columns as readonly string[]).includes(name)) person[field as keyof typeof NAMES] ??= first;
    const label = findLabel(column, row);
    if (EMAIL.test(name)) for (const value of values) addContactPoint(person, 'emails', value, label);
    else if (PHONE.test(name) && /\d/.test(first))
      for (const value of values) addContactPoint(person, 'phones', value, label);
    else if (ADDRESS.test(name))
      for (const value of values) addContactPoint(person, 'addresses', value.replace(/\s+/g, ' '), label);
    else if (URL_COLUMN.test(name)) for (const value of values) addTo(person.urls, value);
    else if (BIRTHDAY.test(name) && !/^0\/0\/00$/.test(first)) person.birthday ??= writeBirthday(first);
    else if (name === 'anniversary' && !/^0\/0\/00$/.test(first))
      addTo(person.dates, `Anniversary: ${writeBirthday(first)}`);
    else if (name === 'spouse') addTo(person.related, `Spouse: ${first}`);
    else if (name === 'photo') person.has_photo = true;
    else if (GROUPS.test(name))
      for (const value of cell.split(/ ::: |;/)) addTo(person.groups, value.replace(/^\* /, ''));
    const street = STREET.exec(name)?.[1];
    if (street !== undefined)
      streets.set(street, [...(streets.get(street) ?? []), first.replace(/\s+/g, ' ')]);
  }
  for (const [label, parts] of streets) addContactPoint(person, 'addresses', parts.join(', '), label);
  readPairs(person, row);
  person.name ??=
    [person.given_name, row['Middle Name'], person.family_name].filter((part) => part).join(' ') || undefined;
  return person;
}

/** Finds the label of a value. Google has a column for it; others put it in the column name: `Home Phone`. */
function findLabel(column: string, row: Row): string | undefined {
  const [, numbered] = /^(.+ \d+) - (?:value|formatted)$/i.exec(column) ?? [];
  if (numbered !== undefined) return row[`${numbered} - Type`] || row[`${numbered} - Label`];
  if (!PHONE.test(column.toLowerCase())) return undefined;
  return column.replace(/\b(?:tele)?phone\b|\bnumber\b|\s\d+$/gi, ' ').trim();
}

/** Google's paired columns: label and value. */
function readPairs(person: Person, row: Row): void {
  for (const [column, value] of Object.entries(row)) {
    const match = /^(Event|Relation|IM) (\d+) - Value$/.exec(column);
    if (match === null || value.trim() === '') continue;
    const [, kind, number] = match;
    const label = (
      row[`${kind} ${number} - Type`] ||
      row[`${kind} ${number} - Label`] ||
      row[`${kind} ${number} - Service`]
    )?.replace(/^\* /, '');
    if (kind === 'Event') addTo(person.dates, `${label || 'Date'}: ${writeBirthday(value)}`);
    if (kind === 'Relation') addTo(person.related, `${label || 'Related'}: ${value.trim()}`);
    if (kind === 'IM') addTo(person.handles, `${label || 'IM'}: ${value.trim()}`);
  }
}
