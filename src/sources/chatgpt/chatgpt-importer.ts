import { posix } from 'node:path';
import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { readJson, readJsonElements } from '../../import/read/read-json.ts';
import { makeNote, makeProblem, makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { attachIndexed, type FileIndex, indexFiles } from '../files/index-files.ts';
import { findPath, hasPaths } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { firstText, flagOf, objectOf, textOf } from '../values/json.ts';
import { readConversation } from './chatgpt-conversation.ts';
import { chatgptDeclaration } from './chatgpt-declaration.ts';

type Kind = 'conversations' | 'user' | 'feedback' | 'shared';

function detectKind({ outline, text }: FileProbe): Kind | undefined {
  if (findPath(outline, 'mapping') !== undefined && isTree(text)) return 'conversations';
  if (
    hasPaths(outline, 'chatgpt_plus_user') ||
    (hasPaths(outline, 'id', 'email') && /"id"\s*:\s*"user-/.test(text))
  )
    return 'user';
  if (hasPaths(outline, '[].rating', '[].conversation_id')) return 'feedback';
  return hasPaths(outline, '[].conversation_id', '[].is_anonymous') ? 'shared' : undefined;
}

/**
 * Other formats have a mapping too, but no nodes with children and parents. A first message may exceed the probed
 * text.
 */
const isTree = (text: string) =>
  (/"children"\s*:/.test(text) && /"parent"\s*:/.test(text)) ||
  (/"author"\s*:\s*\{\s*"role"/.test(text) && /"content_type"\s*:/.test(text));

export const chatgptImporter: Importer = {
  format: 'chatgpt',
  title: 'ChatGPT export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open chatgpt.com and sign in',
      'Click your name, then Settings, then Data controls',
      'Export data, and confirm',
      'Download the zip from the email you receive',
    ],
    waiting: 'Minutes to a day; the link in the mail works for 24 hours.',
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    if (!own.some(({ kind }) => kind === 'conversations')) return [];
    return recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'user' ? findAccount(file) : undefined,
    );
  },
  async explain(file) {
    const { text } = await probeFile(file);
    const isPage = /<title>ChatGPT Data Export<\/title>/.test(text) && /\bjsonData\b/.test(text);
    return isPage
      ? 'is a page of a ChatGPT export; conversations are imported from conversations.json'
      : undefined;
  },
  declare: () => Promise.resolve(chatgptDeclaration),
  async *read({ files, listFiles }) {
    const own = await findExportFiles(files, detectKind);
    const of = (wanted: Kind) => own.filter(({ kind }) => kind === wanted).map(({ file }) => file);
    for (const file of of('user')) {
      const account = await findAccount(file);
      if (account !== undefined) yield { kind: 'self', value: account };
    }
    const ratings = new Map<string, string>();
    for (const file of of('feedback')) yield* readRatings(file, ratings);
    for (const file of of('shared')) yield* readShared(file);
    for (const file of of('conversations')) {
      const assets = indexFiles(listFiles, posix.dirname(file.path), findAssetId);
      yield* readConversations(file, ratings, assets);
    }
  },
};

async function findAccount(file: InputFile): Promise<string | undefined> {
  const user = await readJson(file);
  return user.kind === 'broken' ? undefined : textOf(objectOf(user.value).email);
}

/** The owner's ratings of answers. They are few, so they are read before the answers. */
async function* readRatings(file: InputFile, ratings: Map<string, string>): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*']), (element) => {
    const { id, message_id, rating } = objectOf(element.value);
    const [key, said] = [firstText(message_id, id), textOf(rating)];
    if (key !== undefined && said !== undefined)
      ratings.set(key, said.toLowerCase().replace(/^thumbs_?/, 'thumbs_'));
    return undefined;
  });
}

async function* readShared(file: InputFile): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const { id, conversation_id, title, is_anonymous } = objectOf(element.value);
    const data = {
      id: textOf(id),
      conversation_id: textOf(conversation_id),
      title: textOf(title),
      is_anonymous: flagOf(is_anonymous),
    };
    yield makeRecord(file, 'shared_links', data);
  });
}

/** `file-AbC-plan.pdf`, `file_000-sanitized.png` and `file_000.dat`: returns the id of the file. */
const findAssetId = (path: string) => /^(file[-_][A-Za-z\d]+)(?:[-.]|$)/.exec(posix.basename(path))?.[1];

async function* readConversations(
  file: InputFile,
  ratings: ReadonlyMap<string, string>,
  assets: FileIndex,
): AsyncGenerator<ImportItem> {
  let empty = 0;
  const path = findPath((await probeFile(file)).outline, 'mapping') ?? '*';
  yield* readEach(file, readJsonElements(file, [path]), function* (element) {
    const source = objectOf(element.value);
    const key = element.path.at(-1);
    const place = `conversation ${typeof key === 'number' ? key + 1 : (key ?? 1)}`;
    if (source.mapping !== objectOf(source.mapping))
      return yield makeProblem(file, 'is not a conversation', place);
    const talk = readConversation(source, typeof key === 'string' ? key : undefined, ratings);
    yield makeRecord(file, 'conversations', talk.conversation, place);
    for (const { data, files: named } of talk.messages)
      yield withFiles(
        makeRecord(file, 'messages', data, place),
        named.flatMap(({ id, name }) => attachIndexed(assets, id?.split('#')[0], name)),
      );
    empty += talk.empty;
  });
  if (empty > 0) yield makeNote(file, `${empty} empty messages skipped`);
}
