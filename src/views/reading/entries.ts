import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedRecord } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import { idOf } from '../../tools/record-view.ts';
import { findRoles, isSpoken, nameWriters, type Roles } from './roles.ts';

/** A record as one of several: who, when, and what it is or says. */
export interface Entry {
  readonly id: string;
  /** What it is called: its own heading, else the beginning of its text, else its key. */
  readonly name: string;
  readonly who: string | null;
  /** Whether the owner is who. */
  readonly mine: boolean;
  /** Its event time; a day has no clock. */
  readonly time: string | null;
  /** What was said, where somebody said something, and whether that is not all of it. */
  readonly text: string | null;
  readonly cut: boolean;
  /** Left out of the talk by the app it is from. */
  readonly aside: boolean;
  readonly attachments: readonly string[];
}

const NAME_LENGTH = 120;
const MAX_ATTACHMENTS = 20;

/** Records as entries; `length` is how much of each text is shown. */
export async function toEntries(
  stream: GrantedStream,
  records: readonly GrantedRecord[],
  reader: GrantedReader,
  length: number,
): Promise<Entry[]> {
  const roles = findRoles(stream, reader);
  const writers = isSpoken(roles)
    ? await nameWriters(
        stream,
        roles,
        records.map(({ record }) => record),
        reader,
      )
    : [];
  const entries: Entry[] = [];
  for (const [i, found] of records.entries()) {
    const { key, record } = found;
    const text = isSpoken(roles) ? await readSaid(found, roles.body as string, length) : null;
    const shown = text === null ? null : cutText(text, length);
    entries.push({
      id: idOf({ stream, key }),
      name: nameRecord(stream, roles, key, record),
      who: writers[i] ?? null,
      mine: writers[i] === 'You',
      time: timeIn(stream, record),
      text: shown,
      cut: text !== null && (shown as string).length < text.length,
      aside: roles.aside !== undefined && record[roles.aside] === true,
      attachments: listAttachments(stream, record),
    });
  }
  return entries;
}

/** What was said, as far as it is shown and one character more where it goes on. */
async function readSaid(
  { record, long }: GrantedRecord,
  body: string,
  length: number,
): Promise<string | null> {
  const said = record[body];
  if (typeof said !== 'string' || said.trim() === '') return null;
  return (await long?.get(body)?.slice(0, length + 1)) ?? escapeText(said);
}

export function nameRecord(
  stream: GrantedStream,
  roles: Roles,
  key: string,
  record: Readonly<Record<string, unknown>>,
): string {
  const held = [roles.title, roles.body, roles.talk, ...listWords(stream)]
    .map((name) => (name === undefined ? undefined : record[name]))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return shortenLine(typeof held === 'string' ? held : key);
}

/** Fields that hold a word about a record, rather than a key of it or of another one. */
function listWords({ fields, primaryKey, relations }: GrantedStream): string[] {
  const keys = new Set([...primaryKey, ...relations.map(({ foreign_key }) => foreign_key)]);
  return [...fields.values()]
    .filter(({ name, kind }) => kind === 'string' && !keys.has(name) && !/(^|_)id$/.test(name))
    .map(({ name }) => name);
}

function shortenLine(text: string): string {
  const line = escapeText(
    text
      .slice(0, NAME_LENGTH * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const short = cutText(line, NAME_LENGTH);
  return short.length < line.length || text.length > NAME_LENGTH * 4 ? `${short}…` : short;
}

/** The event time as the record tells it, on no clock but its own. */
function timeIn({ timeField }: GrantedStream, record: Readonly<Record<string, unknown>>): string | null {
  const value = timeField === undefined ? undefined : record[timeField.name];
  return typeof value === 'string' ? escapeText(value) : null;
}

function listAttachments({ fields }: GrantedStream, record: Readonly<Record<string, unknown>>): string[] {
  const names = ['attachments', 'attachment_names', 'media'].find(
    (name) => fields.get(name)?.kind === 'list',
  );
  const value = names === undefined ? undefined : record[names];
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_ATTACHMENTS)
    .filter((one) => typeof one === 'string')
    .map(shortenLine);
}
