import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedRecord } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import { idOf } from '../../tools/record-view.ts';
import { areMessages, findRoles, nameWriters, type Roles } from './roles.ts';

/** A record in a list: author, time, name and text. */
export interface Entry {
  readonly id: string;
  /** Its title, else the beginning of its text, else its key. */
  readonly name: string;
  readonly who: string | null;
  /** Whether the owner wrote it. */
  readonly mine: boolean;
  /** Its event time or day. */
  readonly time: string | null;
  /** The text of a message, and whether it was cut. */
  readonly text: string | null;
  readonly cut: boolean;
  /** Whether the original app hides it. */
  readonly aside: boolean;
  readonly attachments: readonly string[];
}

const NAME_LENGTH = 120;
const MAX_ATTACHMENTS = 20;

/** Converts records to entries. `length` limits the characters of each text. */
export async function toEntries(
  stream: GrantedStream,
  records: readonly GrantedRecord[],
  reader: GrantedReader,
  length: number,
): Promise<Entry[]> {
  const roles = findRoles(stream, reader);
  const writers = areMessages(roles)
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
    const text = areMessages(roles) ? await readMessageText(found, roles.body as string, length) : null;
    const shown = text === null ? null : cutText(text, length);
    entries.push({
      id: idOf({ stream, key }),
      name: nameRecord(stream, roles, key, record),
      who: writers[i] ?? null,
      mine: writers[i] === 'You',
      time: timeIn(stream, record),
      text: shown,
      cut: text !== null && (shown as string).length < text.length,
      aside: roles.hidden !== undefined && record[roles.hidden] === true,
      attachments: listAttachments(stream, record),
    });
  }
  return entries;
}

/** Reads the shown part of a text, and one more character if it continues. */
async function readMessageText(
  { record, long }: GrantedRecord,
  body: string,
  length: number,
): Promise<string | null> {
  const text = record[body];
  if (typeof text !== 'string' || text.trim() === '') return null;
  return (await long?.get(body)?.slice(0, length + 1)) ?? escapeText(text);
}

export function nameRecord(
  stream: GrantedStream,
  roles: Roles,
  key: string,
  record: Readonly<Record<string, unknown>>,
): string {
  const held = [roles.title, roles.body, roles.conversation, ...listWords(stream)]
    .map((name) => (name === undefined ? undefined : record[name]))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return shortenLine(typeof held === 'string' ? held : key);
}

/** Lists text fields that are not keys. */
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

/** Returns the event time as stored. */
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
