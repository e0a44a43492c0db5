import type { ReadText } from '../file-text.ts';
import { decodeBytes } from './plain-text.ts';

/** The properties of events, tasks and contacts that people read, with a label. */
const LABELS: Readonly<Record<string, string>> = {
  SUMMARY: 'Title',
  DTSTART: 'Start',
  DTEND: 'End',
  DUE: 'Due',
  LOCATION: 'Place',
  DESCRIPTION: 'Description',
  COMMENT: 'Comment',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  STATUS: 'Status',
  RRULE: 'Repeats',
  FN: 'Name',
  NICKNAME: 'Nickname',
  ORG: 'Organization',
  TITLE: 'Title',
  ROLE: 'Role',
  TEL: 'Phone',
  EMAIL: 'Email',
  ADR: 'Address',
  BDAY: 'Birthday',
  NOTE: 'Note',
  URL: 'Web page',
};

/** Reads iCalendar (RFC 5545) and vCard (RFC 6350): one line for each property that people read. */
export const readCardText: ReadText = async (bytes, { out }) => {
  const lines = (await decodeBytes(bytes))
    .replace(/=\r?\n(?=[=\w])/g, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);
  for (const line of lines) {
    const [, name = '', parameters = '', value = ''] =
      /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":]|"[^"]*")*)?):(.*)$/.exec(line) ?? [];
    const label = LABELS[name.toUpperCase()];
    if (/^BEGIN$/i.test(name)) out.add('\n');
    if (label === undefined || value === '') continue;
    const person = /;CN=("[^"]*"|[^;:]*)/i.exec(parameters)?.[1]?.replaceAll('"', '');
    const text = unescapeValue(/QUOTED-PRINTABLE/i.test(parameters) ? decodeQuoted(value) : value);
    out.add(`${label}: ${person === undefined ? '' : `${person}, `}${text.replace(/^mailto:/i, '')}\n`);
  }
};

/** Replaces escaped characters. The parts of an address or a company are separated by semicolons. */
function unescapeValue(value: string): string {
  return value
    .replace(/(?<!\\);+/g, ', ')
    .replace(/\\([nN\\;,:])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
    .replace(/^(?:, )+|(?:, )+$/g, '');
}

/** vCard 2.1 writes other letters as `=C3=BC`. */
function decodeQuoted(value: string): string {
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
