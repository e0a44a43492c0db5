import { posix } from 'node:path';
import type Database from 'better-sqlite3';
import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { formatTime } from '../../import/read/read-time.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { isDatabase, listColumns, openDatabase } from '../files/open-database.ts';
import { findExportFiles, recogniseTogether } from '../files/recognise-files.ts';
import { firstText, type JsonObject, someOf, textOf } from '../values/json.ts';
import { wordList } from '../values/words.ts';
import { FILE_COLUMNS, locateFile, type MessageFile, readMessageFiles } from './imessage-files.ts';
import { isMessagesText, readMessagesText } from './imessage-text.ts';

const chats = declareChats('imessage', 'iMessage', {
  kinds: ['reaction', 'system'],
  chats: { service: 'text: iMessage, SMS or RCS', is_group: 'flag' },
  messages: {
    service: 'text: iMessage, SMS or RCS',
    subject: 'text',
    read_at: 'time',
    edited_at: 'time',
    reply_to_id: 'text: The message it answers',
    reaction_to_id: 'text: The message it is a reaction to',
    attachment_types: 'list: Kinds of the files: image/jpeg',
  },
});

const imessageDeclaration = declareAttachments(chats, 'messages');

/** Apple counts from 2001: seconds, since High Sierra nanoseconds. */
const EPOCH = Date.UTC(2001, 0, 1);

export const imessageImporter: Importer = {
  format: 'imessage',
  title: 'Apple Messages (chat.db)',
  guide: {
    steps: [
      'On the Mac quit Messages',
      'In the Finder choose Go, Go to folder, and type ~/Library/Messages',
      'Copy chat.db (and chat.db-wal, if it exists) to another folder, with the folder Attachments if you want the text of attached files, and upload that folder',
    ],
    waiting: 'None.',
    choose:
      'The sms.db of an iPhone backup has the same format. Chats that imessage-exporter wrote as text are read too.',
  },
  identity: { messages: ['chat_id', 'sender', 'sent_at', 'text'] },
  async recognise(files) {
    const found: InputFile[] = [];
    for (const file of files) {
      const database = await openDatabase(file);
      if (database === undefined) continue;
      try {
        const columns = listColumns(database, 'message');
        const joins = listColumns(database, 'chat_message_join');
        if (columns.has('guid') && columns.has('is_from_me') && joins.has('chat_id')) found.push(file);
      } catch {
        // Damaged after its first page: the generic importer may try.
      } finally {
        database.close();
      }
    }
    const texts = await findExportFiles(files, ({ text }) => (isMessagesText(text) ? 'text' : undefined));
    return [
      ...found.map((file) => ({
        files: [file],
        certainty: 'certain' as const,
        attachmentFolders: [posix.join(posix.dirname(file.path), 'Attachments')],
      })),
      ...recogniseTogether(texts, 'certain').map((one) => ({
        ...one,
        attachmentFolders: one.files.map(({ path }) => posix.join(posix.dirname(path), 'attachments')),
      })),
    ];
  },
  declare: () => Promise.resolve(imessageDeclaration),
  async *read({ files }, options) {
    for (const file of files) {
      if (!(await isDatabase(file))) {
        yield* readMessagesText(file, options);
        continue;
      }
      const database = await openDatabase(file);
      if (database === undefined) {
        yield makeProblem(file, 'cannot be opened as a database');
        continue;
      }
      try {
        yield* readMessages(database, file);
      } catch {
        yield makeProblem(file, 'is damaged; only the part before the damage was imported');
      } finally {
        database.close();
      }
    }
  },
};

interface Chat {
  readonly facts: JsonObject & { readonly id: string; readonly name: string };
  readonly tally: ChatTally;
}

function* readMessages(database: Database.Database, file: InputFile): Generator<ImportItem> {
  const chats = new Map<string, Chat>();
  for (const account of findSelf(database)) yield { kind: 'self', value: account };
  for (const row of database.prepare(selectMessages(database)).iterate() as IterableIterator<JsonObject>) {
    const chat = getChat(chats, row);
    const files = readMessageFiles(row.files);
    const data = readMessage(row, chat.facts, files);
    chat.tally.count(data);
    const record = makeRecord(file, 'messages', data, `message ${textOf(row.rowid)}`);
    yield withFiles(
      record,
      files.map((one) => locateFile(one, file)),
    );
  }
  for (const { facts, tally } of chats.values())
    yield makeRecord(file, 'chats', { ...facts, ...tally.describe() });
}

/** Selects null for columns that this version lacks, and long numbers as text. */
function selectMessages(database: Database.Database): string {
  const [message, chat, attachment] = ['message', 'chat', 'attachment'].map((table) =>
    listColumns(database, table),
  );
  const of = (columns: Set<string> | undefined, table: string, name: string) =>
    columns?.has(name) ? `${table}.${name}` : 'null';
  const own = wordList(`text|attributedBody|service|subject|is_from_me|thread_originator_guid|
    associated_message_guid|associated_message_type|item_type|group_title`);
  const times = ['date', 'date_read', 'date_edited'];
  const facts = FILE_COLUMNS.map((name) => `cast(${of(attachment ?? new Set(), 'a', name)} as text)`);
  // JSON, because names may contain any separator.
  const files =
    attachment?.size === 0
      ? 'null'
      : `(select json_group_array(json_array(${facts.join(', ')})) from message_attachment_join j join attachment a on a.rowid = j.attachment_id where j.message_id = m.rowid)`;
  return `select m.rowid as rowid, m.guid as guid, handle.id as handle,
    ${own.map((name) => `${of(message, 'm', name)} as ${name}`).join(', ')},
    ${times.map((name) => `cast(${of(message, 'm', name)} as text) as ${name}`).join(', ')},
    chat.guid as chat_guid, chat.chat_identifier as chat_identifier,
    ${of(chat, 'chat', 'display_name')} as display_name, ${of(chat, 'chat', 'style')} as style,
    ${of(chat, 'chat', 'service_name')} as chat_service, ${files} as files
    from message m left join handle on handle.rowid = m.handle_id
    left join chat_message_join c on c.message_id = m.rowid left join chat on chat.rowid = c.chat_id
    group by m.rowid order by m.rowid`;
}

function getChat(chats: Map<string, Chat>, row: JsonObject): Chat {
  const handle = textOf(row.handle);
  const id = textOf(row.chat_guid) ?? handle ?? 'unknown';
  const known = chats.get(id);
  if (known !== undefined) return known;
  const name = firstText(row.display_name, row.chat_identifier) ?? handle ?? id;
  const chat = {
    facts: { id, name, service: textOf(row.chat_service), is_group: row.style === 43 },
    tally: new ChatTally(),
  };
  chats.set(id, chat);
  return chat;
}

function readMessage(row: JsonObject, chat: Chat['facts'], files: readonly MessageFile[]): JsonObject {
  const isMine = row.is_from_me === 1;
  const target = textOf(row.associated_message_guid)?.replace(/^(p:\d+\/|bp:)/, '');
  const isReaction = target !== undefined && Number(row.associated_message_type) >= 2000;
  const isSystem = Number(row.item_type ?? 0) > 0;
  const said =
    textOf(row.text) ??
    readAttributedBody(row.attributedBody as Uint8Array | null) ??
    (isSystem ? textOf(row.group_title) : undefined);
  // A placeholder character stands for a picture.
  const text = textOf(said?.replace(/[\ufffc\ufffd]/g, '').trim());
  return {
    id: textOf(row.guid),
    chat_id: chat.id,
    chat: chat.name,
    sender: isMine ? 'Me' : textOf(row.handle),
    from_me: isMine,
    sent_at: readAppleTime(row.date),
    text,
    kind: isReaction ? 'reaction' : isSystem ? 'system' : 'message',
    attachments: someOf(files.map(({ name }) => name)),
    attachment_types: someOf(files.map(({ type }) => type)),
    service: textOf(row.service),
    subject: textOf(row.subject),
    read_at: readAppleTime(row.date_read),
    edited_at: readAppleTime(row.date_edited),
    reply_to_id: textOf(row.thread_originator_guid),
    reaction_to_id: isReaction ? target : undefined,
  };
}

function readAppleTime(value: unknown): string | undefined {
  const count = Number(textOf(value) ?? 0);
  if (!Number.isFinite(count) || count === 0) return undefined;
  return formatTime(EPOCH + Math.round(Math.abs(count) > 1e11 ? count / 1e6 : count * 1_000));
}

/** Returns the owner's addresses: `E:anna@example.org`, `P:+49…`. */
function findSelf(database: Database.Database): string[] {
  if (!listColumns(database, 'message').has('account')) return [];
  const accounts = database
    .prepare('select distinct account from message where account is not null limit 50')
    .pluck()
    .all();
  return [...new Set(accounts.map((account) => String(account).replace(/^[a-zA-Z]:/, '')))].filter(
    (account) => /@|^\+?\d{5,}/.test(account),
  );
}

/**
 * Reads the text of a message from a typedstream, Apple's old object format. Only the first string is read: a
 * mark, a length of one, two or four bytes, UTF-8.
 */
export function readAttributedBody(body: Uint8Array | null | undefined): string | undefined {
  if (body === null || body === undefined) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const name = bytes.indexOf('NSString');
  if (name < 0) return undefined;
  // A few bytes follow the class name; a plus sign precedes the string.
  const mark = bytes.indexOf(0x2b, name + 8);
  if (mark < 0 || mark > name + 24) return undefined;
  const { length, start } = readLength(bytes, mark + 1);
  if (start < 0 || start + length > bytes.length) return undefined;
  const text = bytes.toString('utf8', start, start + length);
  return text === '' ? undefined : text;
}

function readLength(bytes: Buffer, at: number): { length: number; start: number } {
  const first = bytes[at];
  if (first === undefined) return { length: 0, start: -1 };
  if (first === 0x81 && at + 3 <= bytes.length) return { length: bytes.readUInt16LE(at + 1), start: at + 3 };
  if (first === 0x82 && at + 5 <= bytes.length) return { length: bytes.readUInt32LE(at + 1), start: at + 5 };
  return { length: first, start: at + 1 };
}
