import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { type FileProbe, findExportFiles, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, type Row, readTable, type TableKind } from '../files/table-kind.ts';
import { readEach } from '../files/yielded.ts';
import { type JsonObject, timeOf } from '../values/json.ts';
import { redditDeclaration } from './reddit-declaration.ts';

type Full = 'posts' | 'comments' | 'messages';
type Heads = `${Full} without text`;
type Kind = Full | Heads | 'chats' | 'votes' | 'marks' | 'subscriptions' | 'statistics';

/** By columns; the addresses of network that some hold are left out. */
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
  // Many tables have an id and a permalink; these point to Reddit.
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
      'Download the zip from the message that comes',
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
      // Much of it comes a second time without what was said: that is read only where it is all there is.
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

/** The address tells where it stands and, but for comments, how the title begins. */
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
