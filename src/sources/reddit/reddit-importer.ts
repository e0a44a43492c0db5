import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { declareSource, declareStream, hasMany, oneOf } from '../declare.ts';
import { readEach } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, type Row, readTable, type TableKind } from '../files/table-kind.ts';
import type { JsonObject } from '../values/json.ts';
import { createFieldReader } from '../values/read-fields.ts';

const redditDeclaration = declareSource('reddit', 'Reddit', [
  declareStream('posts', 'Posts', {
    description: 'Posts of the owner.',
    detail: 'What you posted, and where.',
    semantics: 'append_only',
    time: 'created_at',
    view: { label: 'Title and time', fields: ['id', 'title', 'subreddit', 'created_at'] },
    fields: {
      id: 'text < id',
      title: 'text, search < title',
      text: 'text, search < body',
      subreddit: 'text, search < subreddit',
      link: 'text < url: What the post points to',
      url: 'text < permalink',
      created_at: 'time < date',
    },
  }),
  declareStream('comments', 'Comments', {
    description: 'Comments of the owner.',
    detail: 'What you wrote below posts.',
    semantics: 'append_only',
    time: 'created_at',
    relations: [hasMany('answers', 'comments', 'parent_id')],
    fields: {
      id: 'text < id',
      text: 'text, search < body',
      subreddit: 'text, search < subreddit',
      post_url: 'text < link: The post that it comments on',
      parent_id: 'text < parent: The comment it answers',
      url: 'text < permalink',
      created_at: 'time < date',
    },
  }),
  declareStream('saved', 'Saved and voted', {
    description: 'Posts and comments that the owner saved, hid or voted on. The export has no times.',
    detail: 'What you saved, hid, voted up or down.',
    fields: {
      id: 'text',
      kind: oneOf(['saved', 'hidden', 'up', 'down', 'none']),
      what: oneOf(['post', 'comment']),
      title: 'text, search: Title, if the address contains it',
      subreddit: 'text, search',
      url: 'text',
    },
  }),
  declareStream('messages', 'Messages', {
    description: 'Private messages and chats of the owner with others.',
    detail: 'What you and others wrote to each other in private.',
    semantics: 'append_only',
    time: 'created_at',
    search: ['text', 'subject', 'sender'],
    fields: {
      id: 'text < id|message_id',
      sender: 'text < from|username',
      recipient: 'text < to',
      subject: 'text < subject',
      text: 'text < body|message',
      thread_id: 'text < thread_id|channel_url',
      channel: 'text < channel_name: Name of the chat',
      from_me: { type: 'boolean', description: 'Whether the owner wrote it, if the export says so' },
      created_at: 'time < date|created_at',
    },
  }),
  declareStream('subscriptions', 'Subscriptions', {
    description: 'Subreddits that the owner follows.',
    detail: 'Which subreddits you follow.',
    fields: { id: 'text < subreddit', name: 'text, search < subreddit' },
  }),
]);

type TextKind = 'posts' | 'comments' | 'messages';
type Kind =
  | TextKind
  | `${TextKind} without text`
  | 'chats'
  | 'votes'
  | 'marks'
  | 'subscriptions'
  | 'statistics';

/** Tables are detected by their columns. IP addresses are not imported. */
const TABLES: Readonly<Record<Kind, TableKind>> = {
  posts: { columns: ['id', 'permalink', 'date', 'subreddit', 'title'] },
  comments: { columns: ['id', 'permalink', 'date', 'subreddit', 'link', 'parent', 'body'] },
  messages: { columns: ['id', 'permalink', 'date', 'from', 'to', 'subject'] },
  'posts without text': { columns: ['id', 'permalink', 'date', 'subreddit', 'url'] },
  'comments without text': { columns: ['id', 'permalink', 'date', 'subreddit', 'link', 'parent'] },
  'messages without text': { columns: ['id', 'permalink', 'thread_id', 'date', 'from', 'to'] },
  chats: { columns: ['message_id', 'created_at', 'username', 'message', 'channel_url'] },
  votes: { columns: ['id', 'permalink', 'direction'] },
  marks: { columns: ['id', 'permalink'] },
  subscriptions: { columns: ['subreddit'], path: /subscribed_subreddits[^/]*\.csv$/i },
  statistics: { columns: ['statistic', 'value'], path: /statistics[^/]*\.csv$/i },
};

const REDDIT_URL = /(^|,)"?(https?:\/\/(www\.|old\.)?reddit\.com)?\/(r|u|user)\/[\w-]+\//m;

function detectKind(probe: FileProbe): Kind | undefined {
  const kind = detectTable(probe, TABLES);
  // Many tables have an id and a permalink; here they must point to Reddit.
  return (kind === 'votes' || kind === 'marks') && !REDDIT_URL.test(probe.text) ? undefined : kind;
}

export const redditImporter: Importer = {
  format: 'reddit',
  title: 'Reddit export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open reddit.com/settings/data-request',
      'Choose the kind of request and the dates, and submit',
      'Download the zip from the message you receive',
    ],
    waiting: 'Days, up to 30.',
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    if (own.every(({ kind }) => kind === 'subscriptions' || kind === 'statistics')) return [];
    return recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'statistics' ? await findAccount(file) : undefined,
    );
  },
  declare: () => Promise.resolve(redditDeclaration),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    let self: string | undefined;
    for (const { file, kind } of own) if (kind === 'statistics') self ??= await findAccount(file);
    if (self !== undefined) yield { kind: 'self', value: self };
    const kinds = new Set<string>(own.map(({ kind }) => kind));
    for (const { file, kind } of own) {
      // Reddit repeats some tables without texts: these are read only if the full ones are missing.
      if (kind === 'statistics' || kinds.has(/^(\w+) without text$/.exec(kind)?.[1] ?? '')) continue;
      yield* readEach(file, readTable(file, TABLES[kind]), function* (one) {
        yield {
          kind: 'record',
          ...readRow(one.row, kind, file.path, options, self),
          place: one.place,
          file,
        } satisfies ImportItem;
      });
    }
  },
};

async function findAccount(file: InputFile): Promise<string | undefined> {
  for await (const one of readTable(file, TABLES.statistics))
    if (one.kind === 'row' && /^account.?name$/i.test(one.row.statistic ?? '')) return one.row.value;
  return undefined;
}

type Read = ReturnType<typeof createFieldReader>;
const readers = new Map<string, Read>(
  ['posts', 'comments', 'messages', 'subscriptions'].map((name) => [
    name,
    createFieldReader(redditDeclaration, name),
  ]),
);

function readRow(
  row: Row,
  kind: Exclude<Kind, 'statistics'>,
  path: string,
  options: ImportOptions,
  self: string | undefined,
): { stream: string; data: JsonObject } {
  const stream = kind === 'chats' ? 'messages' : kind.replace(/ without text$/, '');
  const read = readers.get(stream);
  if (read === undefined) return { stream: 'saved', data: readSavedItem(row, path) };
  const data = read((name) => row[name], options);
  if (stream === 'messages' && self !== undefined && data.sender !== undefined)
    data.from_me = data.sender === self;
  return { stream, data };
}

/** Reads a saved, hidden or voted item. Its URL contains the subreddit and, for posts, the beginning of the title. */
function readSavedItem(row: Row, path: string): JsonObject {
  const [, subreddit, , slug, comment] =
    /\/r\/([^/]+)\/comments\/([^/]+)\/?([^/]*)\/?([^/]*)/.exec(row.permalink ?? '') ?? [];
  const what = row.id?.startsWith('t1_') || (comment ?? '') !== '' ? 'comment' : 'post';
  const kind =
    row.direction === undefined
      ? /hidden/i.test(path)
        ? 'hidden'
        : 'saved'
      : ['up', 'down'].includes(row.direction)
        ? row.direction
        : 'none';
  return {
    id: row.id === undefined ? undefined : `${row.direction === undefined ? kind : 'vote'}/${row.id}`,
    kind,
    what,
    title: slug === undefined || slug === '' ? undefined : slug.replaceAll('_', ' '),
    subreddit,
    url: row.permalink?.replace(/^\//, 'https://www.reddit.com/'),
  };
}
