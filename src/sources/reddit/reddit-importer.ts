import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { declareSource, declareStream, hasMany, oneOf } from '../declare.ts';
import { type FileProbe, findExportFiles, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, type Row, readTable, type TableKind } from '../files/table-kind.ts';
import { readEach } from '../files/yielded.ts';
import { type JsonObject, timeOf } from '../values/json.ts';

const redditDeclaration = declareSource('reddit', 'Reddit', [
  declareStream('posts', 'Posts', {
    description: 'Posts of the owner.',
    detail: 'What you posted, and where.',
    semantics: 'append_only',
    time: 'created_at',
    view: { label: 'Title and time', fields: ['id', 'title', 'subreddit', 'created_at'] },
    fields: {
      id: 'text',
      title: 'text, search',
      text: 'text, search',
      subreddit: 'text, search',
      link: 'text: What the post points to',
      url: 'text',
      created_at: 'time',
    },
  }),
  declareStream('comments', 'Comments', {
    description: 'Comments of the owner.',
    detail: 'What you wrote below posts.',
    semantics: 'append_only',
    time: 'created_at',
    relations: [hasMany('answers', 'comments', 'parent_id')],
    fields: {
      id: 'text',
      text: 'text, search',
      subreddit: 'text, search',
      post_url: 'text: The post it stands below',
      parent_id: 'text: The comment it answers',
      url: 'text',
      created_at: 'time',
    },
  }),
  declareStream('saved', 'Saved and voted', {
    description: 'Posts and comments that the owner saved, hid or voted on. Reddit does not say when.',
    detail: 'What you saved, hid, voted up or down.',
    fields: {
      id: 'text',
      kind: oneOf(['saved', 'hidden', 'up', 'down', 'none']),
      what: oneOf(['post', 'comment']),
      title: 'text, search: As far as the address tells',
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
      id: 'text',
      sender: 'text',
      recipient: 'text',
      subject: 'text',
      text: 'text',
      thread_id: 'text',
      channel: 'text: Name of the chat',
      from_me: { type: 'boolean', description: 'Whether the owner wrote it, where the export tells' },
      created_at: 'time',
    },
  }),
  declareStream('subscriptions', 'Subscriptions', {
    description: 'Subreddits that the owner follows.',
    detail: 'Which subreddits you follow.',
    fields: { id: 'text', name: 'text, search' },
  }),
]);

type Full = 'posts' | 'comments' | 'messages';
type Heads = `${Full} without text`;
type Kind = Full | Heads | 'chats' | 'votes' | 'marks' | 'subscriptions' | 'statistics';

/** By columns. IP addresses are not imported. */
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

const ADDRESS = /(^|,)"?(https?:\/\/(www\.|old\.)?reddit\.com)?\/(r|u|user)\/[\w-]+\//m;

function detectKind(probe: FileProbe): Kind | undefined {
  const kind = detectTable(probe, TABLES);
  // Many tables have an id and a permalink; here they must point to Reddit.
  return (kind === 'votes' || kind === 'marks') && !ADDRESS.test(probe.text) ? undefined : kind;
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

function readRow(
  row: Row,
  kind: Exclude<Kind, 'statistics'>,
  path: string,
  options: ImportOptions,
  self: string | undefined,
): { stream: string; data: JsonObject } {
  const created = timeOf(row.date ?? row.created_at, options);
  const fromMe = (name: string | undefined) =>
    self === undefined || name === undefined ? undefined : name === self;
  switch (kind) {
    case 'posts':
    case 'posts without text':
      return {
        stream: 'posts',
        data: {
          id: row.id,
          title: row.title,
          text: row.body,
          subreddit: row.subreddit,
          link: row.url,
          url: row.permalink,
          created_at: created,
        },
      };
    case 'comments':
    case 'comments without text':
      return {
        stream: 'comments',
        data: {
          id: row.id,
          text: row.body,
          subreddit: row.subreddit,
          post_url: row.link,
          parent_id: row.parent,
          url: row.permalink,
          created_at: created,
        },
      };
    case 'messages':
    case 'messages without text':
      return {
        stream: 'messages',
        data: {
          id: row.id,
          sender: row.from,
          recipient: row.to,
          subject: row.subject,
          text: row.body,
          thread_id: row.thread_id,
          from_me: fromMe(row.from),
          created_at: created,
        },
      };
    case 'chats':
      return {
        stream: 'messages',
        data: {
          id: row.message_id,
          sender: row.username,
          text: row.message,
          thread_id: row.channel_url,
          channel: row.channel_name,
          from_me: fromMe(row.username),
          created_at: created,
        },
      };
    case 'subscriptions':
      return { stream: 'subscriptions', data: { id: row.subreddit, name: row.subreddit } };
    default:
      return { stream: 'saved', data: readMark(row, path) };
  }
}

/** The URL contains the subreddit and, for posts, the beginning of the title. */
function readMark(row: Row, path: string): JsonObject {
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
