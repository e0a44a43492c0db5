import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, hasMany } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeNote, makeProblem, makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, type Row, readTable, type TableKind } from '../files/table-kind.ts';
import { type JsonObject, objectOf, textOf } from '../values/json.ts';
import { collectHandles } from './x-handles.ts';
import { type Archive, readPost, xParts } from './x-records.ts';

/** Lists of accounts share one declaration. */
const people = (name: string, label: string, description: string): StreamDeclaration =>
  declareStream(name, label, {
    description,
    detail: 'Numbers and addresses of the accounts, and the handles of those you wrote about.',
    fields: {
      id: 'text: Number of the account',
      name: 'text, search: Handle, if a post of the owner contains it',
      url: 'text, search',
    },
  });

const streams = declareSource('x', 'X', [
  declareStream('posts', 'Posts', {
    description: 'Posts, replies and reposts of the owner.',
    detail: 'What you posted, replied and reposted.',
    semantics: 'append_only',
    time: 'created_at',
    view: { label: 'Text and time', fields: ['id', 'text', 'created_at'] },
    relations: [hasMany('replies', 'posts', 'reply_to_id')],
    fields: {
      id: 'text',
      text: 'text, search',
      created_at: 'time',
      like_count: 'integer',
      repost_count: 'integer',
      language: 'text',
      reply_to_id: 'text: The post it answers',
      reply_to: 'text: Handle of the person it answers',
      is_reply: 'flag',
      is_repost: 'flag',
      is_deleted: 'flag',
      hashtags: 'list',
      mentions: 'list: Handles',
      links: 'list',
      media: 'list: Addresses of pictures and videos',
      app: 'text: The app it was written with',
      url: 'text',
    },
  }),
  declareStream('likes', 'Likes', {
    description: 'Posts that the owner liked. The archive has no times.',
    detail: 'What you liked, with its text.',
    semantics: 'append_only',
    fields: { id: 'text: Of the post', text: 'text, search', url: 'text' },
  }),
  declareStream('direct_messages', 'Direct messages', {
    description: 'Messages between the owner and others, alone or in groups.',
    detail: 'What you and others wrote to each other in private.',
    semantics: 'append_only',
    time: 'sent_at',
    view: { label: 'Text and time', fields: ['id', 'sender_id', 'text', 'sent_at'] },
    search: ['text', 'sender'],
    fields: {
      id: 'text',
      conversation_id: 'text, required',
      sender: 'text: Handle of the owner, or of another account if a post of the owner contains it',
      recipient: 'text: Handle, as with the sender',
      sender_id: 'text: Number of the account',
      recipient_id: 'text: Number of the account; none in groups',
      from_me: 'flag: Whether the owner wrote it, if the archive says so',
      text: 'text',
      sent_at: 'time',
      media: 'list: Addresses of pictures and videos',
      links: 'list',
    },
  }),
  people('followers', 'Followers', 'Accounts that follow the owner.'),
  people('following', 'Following', 'Accounts that the owner follows.'),
  people('blocked', 'Blocked accounts', 'Accounts that the owner blocked.'),
  people('muted', 'Muted accounts', 'Accounts that the owner muted.'),
  declareStream('saved_searches', 'Saved searches', {
    description: 'Searches that the owner saved.',
    detail: 'What you saved to search for again.',
    fields: { id: 'text', query: 'text, search' },
  }),
  declareStream('account', 'Account', {
    description: 'The account itself.',
    detail: 'Your handle, name, mail address and telephone number.',
    fields: {
      id: 'text',
      name: 'text, search',
      username: 'text, search',
      email: 'text, sensitive',
      phone: 'text, sensitive',
      created_at: 'time',
    },
  }),
]);

const xDeclaration = declareAttachments(streams, ['posts', 'direct_messages']);

/** Each file assigns a list to a name: `window.YTD.tweets.part0 = [`; before 2019 one file per month. */
function detectKind(probe: FileProbe): string | undefined {
  const { text } = probe;
  const match = /(?:^|\n)\s*(?:window\.YTD\.([a-z_]+)\.part\d+|Grailbird\.data\.(tweets)_\d+_\d+)\s*=/i.exec(
    text,
  );
  return match === null ? detectTable(probe, { table: xTable }) : (match[1] ?? match[2])?.toLowerCase();
}

export const xImporter: Importer = {
  format: 'x',
  title: 'X (Twitter) archive',
  fillsArchive: true,
  guide: {
    steps: [
      'Open x.com, then More, Settings and privacy, Your account',
      'Download an archive of your data, and confirm with your password',
      'Come back when you are notified, and download the zip',
    ],
    waiting: 'A day or two.',
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    return recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'account' ? (await findAccount(file)).username : undefined,
    );
  },
  declare: () => Promise.resolve(xDeclaration),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    const handles = await collectHandles(
      own.filter(({ kind }) => kind === 'tweets' || kind === 'tweet').map(({ file }) => file),
    );
    let self: string | undefined;
    for (const { file, kind } of own) {
      if (kind !== 'account') continue;
      const { id, username } = await findAccount(file);
      self ??= id;
      if (id !== undefined && username !== undefined) handles.set(id, username);
      for (const value of [username, id]) if (value !== undefined) yield { kind: 'self', value };
    }
    // The table repeats the scripts with less detail: reading both would change the records in every import.
    const hasScripts = own.some(({ kind }) => kind === 'tweets' || kind === 'tweet');
    for (const { file, kind } of own) if (kind === 'table' && !hasScripts) yield* readPosts(file, options);
    for (const { file, kind } of own)
      if (Object.hasOwn(xParts, kind)) yield* readPart(file, kind, { options, self, handles });
    const [first] = own;
    const others = [
      ...new Set(
        own.map(({ kind }) => kind).filter((kind) => kind !== 'table' && !Object.hasOwn(xParts, kind)),
      ),
    ].sort();
    if (first !== undefined && others.length > 0)
      yield makeNote(first.file, `parts of the archive not imported: ${others.join(', ')}`);
  },
};

async function* readPosts(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  yield* readEach(file, readTable(file, xTable), function* (one) {
    yield makeRecord(file, 'posts', readTableRow(one.row, options), one.place);
  });
}

async function* readPart(file: InputFile, kind: string, archive: Archive): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*'], { after: '=' }), function* (element) {
    const place = `item ${Number(element.path[0] ?? 0) + 1}`;
    for (const { stream, data, files = [] } of xParts[kind]?.(objectOf(element.value), archive) ?? []) {
      if (data.id === undefined) yield makeProblem(file, 'has no id', place);
      else yield withFiles(makeRecord(file, stream, data, place), files);
    }
  });
}

async function findAccount(
  file: InputFile,
): Promise<{ id: string | undefined; username: string | undefined }> {
  for await (const element of readJsonElements(file, ['*'], { after: '=' })) {
    const { accountId, username } = objectOf(
      objectOf(element.kind === 'element' ? element.value : {}).account,
    );
    return { id: textOf(accountId), username: textOf(username) };
  }
  return { id: undefined, username: undefined };
}

/** Until 2019 an archive also had all posts in a table. */
const xTable: TableKind = {
  columns: ['tweet_id', 'in_reply_to_status_id', 'timestamp', 'source', 'text', 'retweeted_status_id'],
};

function readTableRow(row: Row, options: ImportOptions): JsonObject {
  const links = [...new Set((row.expanded_urls ?? '').split(',').filter((link) => link !== ''))];
  return readPost(
    {
      id_str: row.tweet_id,
      text: row.text,
      created_at: row.timestamp,
      source: row.source,
      in_reply_to_status_id_str: row.in_reply_to_status_id,
      retweeted: row.retweeted_status_id !== undefined,
      entities: { urls: links.map((url) => ({ url })) },
    },
    options,
  );
}
