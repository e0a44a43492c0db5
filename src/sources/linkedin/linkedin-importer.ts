import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareStream } from '../declare.ts';
import { makeRecord, readEach } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, type Row, readTable, type TableKind } from '../files/table-kind.ts';
import { someOf, timeOf } from '../values/json.ts';
import { createFieldReader } from '../values/read-fields.ts';

const linkedinDeclaration = declareChats('linkedin', 'LinkedIn', {
  messages: {
    subject: 'text',
    recipients: 'text: Names of the recipients',
    sender_url: 'text: Profile of the sender',
    folder: 'text',
  },
  streams: [
    declareStream('connections', 'Connections', {
      description: 'People you are connected with, and since when.',
      time: 'connected_on',
      fields: {
        id: 'text < url',
        name: 'text, search',
        company: 'text, search < company',
        position: 'text, search < position',
        email: 'text, sensitive < email address',
        url: 'text < url',
        connected_on: 'date < connected on',
      },
    }),
    declareStream('invitations', 'Invitations', {
      description: 'Invitations to connect, sent and received.',
      time: 'sent_at',
      fields: {
        id: 'text',
        sender: 'text, search < from',
        recipient: 'text, search < to',
        direction: 'text < direction: INCOMING or OUTGOING',
        text: 'text, search < message',
        sent_at: 'time < sent at',
      },
    }),
    declareStream('positions', 'Positions', {
      description: 'Jobs in your profile.',
      fields: {
        id: 'text',
        title: 'text, search < title',
        company: 'text, search < company name',
        description: 'text, search < description',
        location: 'text < location',
        started_on: 'text < started on: As LinkedIn writes it: Jan 2020',
        finished_on: 'text < finished on: As LinkedIn writes it; none for the current one',
      },
    }),
    declareStream('education', 'Education', {
      description: 'Schools in your profile.',
      fields: {
        id: 'text',
        name: 'text, search < school name: Of the school',
        degree: 'text, search < degree name',
        notes: 'text, search < notes',
        activities: 'text < activities',
        started_on: 'text < start date',
        finished_on: 'text < end date',
      },
    }),
    declareStream('skills', 'Skills', {
      description: 'Skills in your profile.',
      fields: { id: 'text < name', name: 'text, search < name' },
    }),
    declareStream('posts', 'Posts', {
      description: 'What you posted and shared.',
      time: 'created_at',
      fields: {
        id: 'text',
        text: 'text, search < sharecommentary',
        url: 'text < sharelink',
        shared_url: 'text < sharedurl',
        visibility: 'text < visibility',
        created_at: 'time < date',
      },
    }),
    declareStream('comments', 'Comments', {
      description: 'Comments that you wrote.',
      time: 'created_at',
      fields: { id: 'text', text: 'text, search < message', url: 'text < link', created_at: 'time < date' },
    }),
    declareStream('reactions', 'Reactions', {
      description: 'What you reacted to.',
      time: 'created_at',
      fields: { id: 'text', reaction: 'text, search < type', url: 'text < link', created_at: 'time < date' },
    }),
    declareStream('searches', 'Searches', {
      description: 'What you searched for.',
      time: 'created_at',
      fields: { id: 'text', query: 'text, search < search query', created_at: 'time < time' },
    }),
    declareStream('profile', 'Profile', {
      description: 'What your profile says.',
      fields: {
        id: 'text',
        name: 'text, search',
        headline: 'text, search < headline',
        summary: 'text, search < summary',
        industry: 'text < industry',
        location: 'text < geo location',
        address: 'text, sensitive < address',
        birth_date: 'text, sensitive < birth date',
      },
    }),
  ],
});

const MESSAGES = { columns: ['conversation id', 'from', 'to', 'date', 'content'] };
/** Before 2019 messages had no conversation id. */
const OLD_MESSAGES = { columns: ['from', 'to', 'date', 'subject', 'content', 'direction', 'folder'] };
/** The tables of an export by their columns. Messages are read separately, as chats. */
const STREAMS = {
  connections: { columns: ['first name', 'last name', 'company', 'position', 'connected on'] },
  invitations: { columns: ['from', 'to', 'sent at', 'direction'] },
  positions: { columns: ['company name', 'title', 'started on', 'finished on'] },
  education: { columns: ['school name', 'degree name'] },
  skills: { columns: ['name'], path: /(^|\/)skills\.csv$/i },
  posts: { columns: ['date', 'sharelink', 'sharecommentary'] },
  comments: { columns: ['date', 'link', 'message'] },
  reactions: { columns: ['date', 'type', 'link'] },
  searches: { columns: ['time', 'search query'] },
  profile: { columns: ['first name', 'last name', 'headline', 'industry'] },
} satisfies Readonly<Record<string, TableKind>>;
type Stream = keyof typeof STREAMS;
const TABLES = { ...STREAMS, messages: MESSAGES, 'old messages': OLD_MESSAGES };
type Kind = keyof typeof TABLES;

const detectKind = (probe: FileProbe): Kind | undefined => detectTable(probe, TABLES);
/** Columns that many tables have: alone they do not indicate LinkedIn. */
const COMMON: readonly Kind[] = ['comments', 'reactions', 'skills', 'searches'];

export const linkedinImporter: Importer = {
  format: 'linkedin',
  title: 'LinkedIn export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open linkedin.com, then Settings & Privacy, Data privacy',
      'Get a copy of your data',
      'Download the zip from the email you receive',
    ],
    waiting: 'Ten minutes for connections and messages, a day for all of it.',
    choose: 'The larger archive also has posts and comments.',
  },
  identity: {
    connections: ['name', 'connected_on'],
    invitations: ['sender', 'recipient', 'sent_at'],
    positions: ['title', 'company', 'started_on'],
    education: ['name', 'degree', 'started_on'],
    posts: ['text', 'url', 'created_at'],
    comments: ['text', 'url', 'created_at'],
    reactions: ['reaction', 'url', 'created_at'],
    searches: ['query', 'created_at'],
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    if (own.every(({ kind }) => COMMON.includes(kind))) return [];
    return recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'profile' ? await findName(file) : undefined,
    );
  },
  declare: () => Promise.resolve(linkedinDeclaration),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    let self: string | undefined;
    for (const { file, kind } of own) if (kind === 'profile') self ??= await findName(file);
    for (const { file, kind } of own) if (kind === 'messages') self ??= await guessSelf(file);
    if (self !== undefined) yield { kind: 'self', value: self };
    for (const { file, kind } of own) {
      if (kind === 'messages') yield* readMessages(file, MESSAGES, options, self);
      else if (kind === 'old messages') yield* readMessages(file, OLD_MESSAGES, options, self);
      else yield* readRows(file, kind, options);
    }
  },
};

async function* readRows(
  file: InputFile,
  stream: Stream,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const read = createFieldReader(linkedinDeclaration, stream);
  yield* readEach(file, readTable(file, STREAMS[stream]), function* ({ row, place }) {
    const data = read((name) => row[name], utc(options));
    if (stream === 'connections' || stream === 'profile') data.name = nameOf(row);
    if (stream === 'profile') data.id = 'profile';
    // A line break is written with a quote on each side.
    if (stream === 'posts') data.text = row.sharecommentary?.replace(/"\n"/g, '\n');
    yield makeRecord(file, stream, data, place);
  });
}

const nameOf = (row: Row) => someOf([row['first name'], row['last name']])?.join(' ');

/** All times are UTC; only some tables say so. */
const utc = ({ dayFirst }: ImportOptions) => ({
  timeZone: 'UTC',
  ...(dayFirst === undefined ? {} : { dayFirst }),
});

async function* readMessages(
  file: InputFile,
  table: TableKind,
  options: ImportOptions,
  self: string | undefined,
): AsyncGenerator<ImportItem> {
  const chats = new Map<string, { name: string | undefined; tally: ChatTally }>();
  yield* readEach(file, readTable(file, table), function* (one) {
    const { row } = one;
    const isMine = self === undefined ? /^out/i.test(row.direction ?? '') : row.from === self;
    const other = isMine ? row.to : row.from;
    const id = row['conversation id'] ?? other ?? 'unknown';
    const named = row['conversation title'] ?? other;
    const chat = chats.get(id) ?? { name: named, tally: new ChatTally() };
    chats.set(id, chat);
    const data = {
      chat_id: id,
      chat: chat.name,
      sender: row.from,
      from_me: self === undefined && row.direction === undefined ? undefined : isMine,
      recipients: row.to,
      sent_at: timeOf(row.date, utc(options)),
      subject: row.subject,
      text: readContent(row.content),
      sender_url: row['sender profile url'],
      folder: row.folder,
    };
    chat.tally.count(data);
    for (const name of data.recipients?.split(/,\s*/) ?? []) chat.tally.addPerson(name);
    yield makeRecord(file, 'messages', data, one.place);
  });
  for (const [id, { name, tally }] of chats)
    yield makeRecord(file, 'chats', { id, name, ...tally.describe() });
}

/** Messages of recruiters are HTML. */
function readContent(content: string | undefined): string | undefined {
  return content !== undefined && /^\s*<(p|div|span|br|html|table)\b/i.test(content)
    ? readHtmlText(content)
    : content;
}

async function findName(file: InputFile): Promise<string | undefined> {
  for await (const one of readTable(file, STREAMS.profile)) if (one.kind === 'row') return nameOf(one.row);
  return undefined;
}

const MAX_NAMES = 20_000;

/** Without a profile: the owner is the only person in every conversation. */
async function guessSelf(file: InputFile): Promise<string | undefined> {
  const conversations = new Set<string>();
  const byName = new Map<string, Set<string>>();
  for await (const one of readTable(file, MESSAGES)) {
    if (one.kind === 'problem') continue;
    const conversation = one.row['conversation id'] ?? '';
    conversations.add(conversation);
    for (const name of [one.row.from, ...(one.row.to ?? '').split(/,\s*/)]) {
      if (name === undefined || name === '' || (byName.size >= MAX_NAMES && !byName.has(name))) continue;
      byName.set(name, (byName.get(name) ?? new Set()).add(conversation));
    }
  }
  const everywhere = [...byName].filter(([, own]) => own.size === conversations.size).map(([name]) => name);
  return conversations.size > 1 && everywhere.length === 1 ? everywhere[0] : undefined;
}
