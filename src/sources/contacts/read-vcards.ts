import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import {
  type Component,
  type ContentLine,
  readComponents,
  splitValue,
  unescapeText,
} from '../files/content-lines.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import {
  addContactPoint,
  addTo,
  createPerson,
  describeDuplicates,
  type Person,
  type PersonKeys,
  writeBirthday,
} from './person.ts';
import { decodeValue, joinParts, tidyLabel } from './vcard-value.ts';

const TEXT_PROPERTIES: Readonly<Record<string, 'name' | 'id' | 'nickname' | 'job_title'>> = {
  FN: 'name',
  UID: 'id',
  NICKNAME: 'nickname',
  TITLE: 'job_title',
  ROLE: 'job_title',
};
/** Properties that address books use for accounts on other services. */
const HANDLE =
  /^(?:IMPP|X-(?:ICQ|AIM|MSN|YAHOO|JABBER|SKYPE(?:-USERNAME)?|QQ|GTALK|GOOGLE-TALK|TWITTER|SIP|SOCIALPROFILE|GADUGADU|GROUPWISE|KAKAO))$/;

/** Reads the vCards of a file, or of one contact at a server. */
export async function* readVcards(
  file: InputFile,
  { timeZone }: ImportOptions,
  keys: PersonKeys,
): AsyncGenerator<ImportItem> {
  let cards = 0;
  let copies = 0;
  for await (const component of readComponents(file)) {
    if (component.name !== 'VCARD') continue;
    cards += 1;
    const place = component.place;
    const data = component.isWhole ? keys.toRecord(readCard(component, timeZone), file) : undefined;
    if (data === 'copy') copies += 1;
    else if (data !== undefined) yield makeRecord(file, 'people', data, place);
    else {
      const reason = component.isWhole ? 'has neither a name nor an address' : 'ends in the middle of a card';
      yield makeProblem(file, reason, place);
    }
  }
  if (copies > 0) yield makeNote(file, describeDuplicates(copies));
  if (cards === 0) yield makeProblem(file, 'contains no contacts');
}

function readCard({ lines }: Component, timeZone: string): Person {
  const person = createPerson();
  const labels = new Map<string, string>();
  for (const line of lines)
    if (line.group !== undefined && /^X-ABLABEL$/.test(line.name))
      labels.set(line.group, tidyLabel(decodeValue(line)));
  for (const line of lines) {
    const named = labels.get(line.group ?? '');
    const label = named ?? line.params.TYPE?.find((type) => !/^(?:pref|internet)$/i.test(type));
    readLine(person, line, label, timeZone, named ?? line.params.TYPE?.join(','));
  }
  person.name ??=
    [person.given_name, person.family_name].filter((part) => part !== undefined).join(' ') || undefined;
  return person;
}

function readLine(
  person: Person,
  line: ContentLine,
  label: string | undefined,
  timeZone: string,
  types: string | undefined,
): void {
  const raw = decodeValue(line);
  const value = unescapeText(raw).trim();
  if (value === '') return;
  const field = TEXT_PROPERTIES[line.name];
  if (field !== undefined) person[field] ??= value;
  const labelled = (fallback: string) => `${label ?? fallback}: ${value}`;
  switch (line.name) {
    case 'N': {
      const [family, given] = splitValue(raw, ';').map((part) => unescapeText(part).trim());
      person.family_name = family === '' ? undefined : family;
      person.given_name = given === '' ? undefined : given;
      break;
    }
    case 'ORG':
      person.organization ??= joinParts(raw);
      break;
    case 'KIND':
    case 'X-ADDRESSBOOKSERVER-KIND':
      if (value.toLowerCase() !== 'individual') person.kind = value.toLowerCase();
      break;
    case 'EMAIL':
      addContactPoint(person, 'emails', value.replace(/^mailto:/i, ''), types);
      break;
    case 'TEL':
      addContactPoint(person, 'phones', value.replace(/^tel:/i, ''), types);
      break;
    case 'ADR':
      addContactPoint(person, 'addresses', joinParts(raw), types);
      break;
    case 'BDAY':
      person.birthday ??= writeBirthday(value);
      break;
    case 'ANNIVERSARY':
    case 'X-ANNIVERSARY':
    case 'X-EVOLUTION-ANNIVERSARY':
      addTo(person.dates, `Anniversary: ${writeBirthday(value)}`);
      break;
    case 'X-ABDATE':
      addTo(person.dates, `${label ?? 'Date'}: ${writeBirthday(value)}`);
      break;
    case 'X-ABRELATEDNAMES':
    case 'RELATED':
    case 'X-SPOUSE':
      addTo(person.related, labelled(line.name === 'X-SPOUSE' ? 'Spouse' : 'Related'));
      break;
    case 'URL':
      addTo(person.urls, value);
      break;
    case 'CATEGORIES':
      for (const group of splitValue(raw, ',')) addTo(person.groups, unescapeText(group));
      break;
    case 'NOTE':
      person.note = person.note === undefined ? value : `${person.note}\n${value}`;
      break;
    case 'PHOTO':
      person.has_photo = true;
      break;
    case 'REV':
      person.updated_at ??= readTime(value, { timeZone });
      break;
    default:
      if (HANDLE.test(line.name)) addTo(person.handles, labelled(line.name.replace(/^X-|-USERNAME$/g, '')));
  }
}
