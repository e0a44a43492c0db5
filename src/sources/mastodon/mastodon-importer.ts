import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { readJson, readJsonElements } from '../../import/read/read-json.ts';
import { declareSource, declareStream, type Fields, hasMany, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeNote, makeProblem, makeRecord, readEach, withPaths } from '../files/import-items.ts';
import { hasPaths } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../values/json.ts';
import { readActivity, readActor, readHandle, readLikeOrBookmark } from './mastodon-records.ts';

const post: Fields = {
  id: 'text: Address that names the post everywhere',
  text: 'text',
  content_warning: 'text: Warning shown before the text',
  created_at: 'time',
  edited_at: 'time',
  language: 'text',
  reply_to_id: 'text: The post it answers',
  is_reply: 'flag',
  is_sensitive: 'flag: Whether media is hidden at first',
  hashtags: 'list',
  mentions: 'list: Handles',
  media: 'list: Paths of pictures and videos in the archive',
  media_descriptions: 'list: What the owner wrote about them',
  poll_options: 'list: With the number of votes',
  url: 'text',
};
const views = [{ id: 'basic', label: 'Text and time', fields: ['id', 'text', 'created_at'] }];

const streams = declareSource('mastodon', 'Mastodon', [
  declareStream('posts', 'Posts', {
    description: 'Posts and replies of the owner, without direct messages.',
    detail: 'What you posted and replied, also to followers only.',
    semantics: 'append_only',
    time: 'created_at',
    views,
    relations: [hasMany('replies', 'posts', 'reply_to_id')],
    search: ['text', 'content_warning', 'media_descriptions', 'poll_options'],
    fields: {
      ...post,
      visibility: oneOf(['public', 'unlisted', 'followers']),
      like_count: 'integer',
      boost_count: 'integer',
    },
  }),
  declareStream('direct_messages', 'Direct messages', {
    description: 'Posts of the owner that only the people mentioned can read.',
    detail: 'What you wrote to people you mentioned, in full.',
    semantics: 'append_only',
    time: 'created_at',
    views,
    search: ['text', 'content_warning', 'media_descriptions', 'poll_options'],
    fields: post,
  }),
  declareStream('boosts', 'Boosts', {
    description: 'Posts of others that the owner boosted; the archive has their addresses only.',
    detail: 'Which posts you boosted and when.',
    semantics: 'append_only',
    time: 'created_at',
    search: ['author', 'url'],
    fields: {
      id: 'text',
      url: 'text',
      author: 'text: Handle, if the address contains it',
      created_at: 'time',
    },
  }),
  declareStream('likes', 'Likes and bookmarks', {
    description: 'Posts that the owner liked or bookmarked, without times: the archive has none.',
    detail: 'Addresses of the posts you liked or bookmarked.',
    search: ['author', 'url'],
    fields: {
      id: 'text',
      kind: oneOf(['like', 'bookmark']),
      url: 'text',
      author: 'text: Handle, if the address contains it',
    },
  }),
  declareStream('account', 'Profile', {
    description: 'The profile of the owner.',
    detail: 'Your name, your description and the fields of your profile.',
    time: 'created_at',
    fields: {
      id: 'text',
      handle: 'text',
      name: 'text, search',
      text: 'text, search: Description',
      fields: 'list, search: Label and value',
      moved_to: 'text',
      url: 'text',
      created_at: 'time',
    },
  }),
]);

const mastodonDeclaration = declareAttachments(streams, ['posts', 'direct_messages']);

type Part = 'outbox' | 'likes' | 'bookmarks' | 'actor';

const CONTEXT = /"https:\/\/www\.w3\.org\/ns\/activitystreams"/;
const isCollection = ({ outline, text }: FileProbe) =>
  outline.has('orderedItems') && /"type"\s*:\s*"OrderedCollection(?:Page)?"/.test(text);

/** The files of an archive are ActivityStreams; lists of URLs say by their id what they are. */
function detectPart(probe: FileProbe): Part | undefined {
  const { outline, text } = probe;
  if (hasPaths(outline, 'orderedItems[].type', 'orderedItems[].actor', 'orderedItems[].object'))
    return 'outbox';
  if (isCollection(probe))
    return /"id"\s*:\s*"(?:[^"]*\/)?(likes|bookmarks|outbox)(?:\.json)?"/.exec(text)?.[1] as Part | undefined;
  const isActor = hasPaths(outline, 'preferredUsername', 'outbox', 'id') && CONTEXT.test(text);
  return isActor ? 'actor' : undefined;
}

export const mastodonImporter: Importer = {
  format: 'mastodon',
  title: 'Mastodon archive',
  fillsArchive: true,
  guide: {
    steps: [
      'Open your server in a browser, Preferences, Import and export, Data export',
      'Choose Request your archive',
      'Download the archive from the same page when it is ready',
    ],
    waiting: 'Minutes to hours; once a week.',
  },
  identity: { likes: ['kind', 'url'] },
  async recognise(files) {
    const own = await findExportFiles(files, detectPart);
    return recogniseByAccount(own, async ({ file, kind }) => await findAccount(file, kind));
  },
  declare: () => Promise.resolve(mastodonDeclaration),
  async *read({ files }) {
    const own = await findExportFiles(files, detectPart);
    const names = new Set<string>();
    for (const { file, kind } of own) {
      const name = await findAccount(file, kind);
      if (name !== undefined && !names.has(name)) yield { kind: 'self', value: name };
      if (name !== undefined) names.add(name);
    }
    for (const { file, kind } of own) {
      if (kind === 'actor') yield* readActorFile(file);
      else if (kind === 'outbox') yield* readOutbox(file);
      else yield* readAddresses(file, kind === 'likes' ? 'like' : 'bookmark');
    }
  },
};

/** Finds the account in the profile or in an activity. */
async function findAccount(file: InputFile, kind: Part): Promise<string | undefined> {
  const { text } = await probeFile(file);
  if (kind === 'actor') return readHandle(/"id"\s*:\s*"(https?:\/\/[^"]+)"/.exec(text)?.[1]);
  return kind === 'outbox' ? readHandle(/"actor"\s*:\s*"([^"]+)"/.exec(text)?.[1]) : undefined;
}

async function* readActorFile(file: InputFile): AsyncGenerator<ImportItem> {
  const read = await readJson(file);
  if (read.kind === 'broken') yield makeProblem(file, read.reason);
  else yield makeRecord(file, 'account', readActor(objectOf(read.value)));
}

async function* readOutbox(file: InputFile): AsyncGenerator<ImportItem> {
  const others = new Map<string, number>();
  yield* readEach(file, readJsonElements(file, ['orderedItems.*']), function* (element) {
    const activity = objectOf(element.value);
    const place = `activity ${Number(element.path[1]) + 1}`;
    const found = readActivity(activity);
    if (found === undefined) {
      const type = textOf(activity.type) ?? 'unknown';
      others.set(type, (others.get(type) ?? 0) + 1);
    } else if (found.data.id === undefined) yield makeProblem(file, 'has no id', place);
    else yield withPaths(makeRecord(file, found.stream, found.data, place), listMedia(found.data));
  });
  const counted = [...others].map(([type, count]) => `${type} (${count})`).sort();
  if (counted.length > 0)
    yield makeNote(file, `activities not imported: ${counted.join(', ').slice(0, 200)}`);
}

/** Media are in a folder beside the outbox. Servers may write their address before it. */
const listMedia = ({ media }: JsonObject) =>
  listOf(media).map((url) => /(?:^|\/)(media_attachments\/[^?#]+)/.exec(textOf(url) ?? '')?.[1]);

async function* readAddresses(file: InputFile, kind: 'like' | 'bookmark'): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['orderedItems.*']), function* (element) {
    const place = `item ${Number(element.path[1]) + 1}`;
    const data = readLikeOrBookmark(kind, element.value);
    if (data === undefined) yield makeProblem(file, 'has no address', place);
    else yield makeRecord(file, 'likes', data, place);
  });
}
