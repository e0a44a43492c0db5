import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { decodeText, peekText } from '../../import/read/decode-text.ts';
import { readDay, readTime } from '../../import/read/read-time.ts';
import { declareSource, declareStream, hasMany, hasOne } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { dropEmpty, type JsonObject } from '../values/json.ts';
import { findProperty, splitNote, toWords } from './front-matter.ts';
import { createFileFinder, NAMED, resolve } from './linked-files.ts';
import { countWords, findHeadline, findLinks, findTags, findTasks, stripCode } from './note-text.ts';

const streams = declareSource('markdown', 'Notes', [
  declareStream('notes', 'Notes', {
    description: 'Notes of a folder or an Obsidian vault, with their full text.',
    detail: 'Your notes with all their text.',
    time: 'created_at',
    view: { label: 'Titles and tags', fields: ['id', 'title', 'tags'] },
    relations: [
      hasMany('links', 'links', 'note_id'),
      hasMany('linked_from', 'links', 'target_id'),
      hasMany('tasks', 'tasks', 'note_id'),
    ],
    search: ['title', 'body', 'tags', 'folder', 'aliases'],
    fields: {
      id: 'text: Path within the folder',
      title: 'text',
      folder: 'text',
      tags: 'list',
      created_at: 'time: From the note, or from its name if that is a day',
      updated_at: 'time',
      body: 'text: The text, without the header',
      aliases: 'list: Other names for links to it',
      properties: { type: 'object', description: 'All properties above the text' },
      word_count: 'integer',
    },
  }),
  declareStream('links', 'Links between notes', {
    description: 'Links from a note to another, to a file or to the web.',
    detail: 'Which of your notes link to which.',
    relations: [hasOne('note', 'notes', 'note_id'), hasOne('target_note', 'notes', 'target_id')],
    fields: {
      id: 'text',
      note_id: 'text, required',
      target: 'text, search: The target as written',
      target_id: 'text: The linked note, if it exists',
      label: 'text, search: Text shown instead of the target',
      kind: 'text: note, embed or web',
    },
  }),
  declareStream('tasks', 'Tasks', {
    description: 'Check boxes in notes, done and not done.',
    detail: 'Tasks in your notes.',
    cursor: 'due_on',
    relations: [hasOne('note', 'notes', 'note_id')],
    fields: {
      id: 'text',
      note_id: 'text, required',
      title: 'text, search: What is to be done',
      is_done: 'flag',
      due_on: 'date',
      done_on: 'date',
      tags: 'list, search',
    },
  }),
]);

const markdownDeclaration = declareAttachments(streams, 'notes');

export const markdownImporter: Importer = {
  format: 'markdown',
  title: 'Markdown notes (Obsidian and others)',
  guide: {
    steps: [
      'Find the folder of your vault: in Obsidian, right-click a note and choose Show in system explorer.',
      'Upload that folder, or a zip of it. For notes of other programs, export them as Markdown first.',
    ],
    waiting: 'Immediately.',
  },
  // The account is a folder name.
  accountIsShared: true,
  recognise: findVaults,
  declare: async () => markdownDeclaration,
  read,
};

const MAX_CHARACTERS = 8 * 2 ** 20;

async function* read(recognised: Recognised, options: ImportOptions): AsyncGenerator<ImportItem> {
  const { files, account } = recognised;
  const root = account === undefined ? '' : findCommonRoot(files, account);
  const findFiles = createFileFinder(recognised, root);
  const findTarget = createLinkFinder(files.map(({ path }) => path.slice(root.length)));
  for (const file of files) {
    const { text, cut } = await readWhole(file);
    if (cut) yield makeProblem(file, 'is longer than 8 million characters; the rest was skipped');
    const { properties, body, broken } = splitNote(text);
    if (broken) yield makeProblem(file, 'has invalid YAML front matter; it was imported as text');
    const id = file.path.slice(root.length);
    const plain = stripCode(body);
    const data = readNote(id, body, plain, properties, options.timeZone);
    const links = findLinks(plain).map((link) => ({
      link,
      target_id: link.kind === 'web' ? undefined : findTarget(link.target, id),
    }));
    const targets = links.flatMap((one) =>
      one.link.kind === 'web' || one.target_id !== undefined ? [] : [one.link.target],
    );
    yield withFiles(makeRecord(file, 'notes', data), findFiles(targets, file));
    for (const [index, { link, target_id }] of links.entries()) {
      const own = { id: hashKey(id, 'link', index), note_id: id, ...link };
      yield makeRecord(file, 'links', dropEmpty({ ...own, target_id }));
    }
    for (const [index, task] of findTasks(plain).entries())
      yield makeRecord(file, 'tasks', dropEmpty({ id: hashKey(id, 'task', index), note_id: id, ...task }));
  }
}

function readNote(id: string, body: string, plain: string, properties: JsonObject, timeZone: string) {
  const time = (...names: string[]) => {
    const written = findProperty(properties, ...names);
    // Dataview writes zones in brackets, which readers do not need.
    return typeof written === 'string' ? readTime(written.replace(/\[.*\]$/, ''), { timeZone }) : undefined;
  };
  const name = nameOf(id);
  const day = readDay(/\d{4}([-_])\d\d\1\d\d/.exec(name)?.[0].replaceAll('_', '-') ?? '');
  const updated_at = time(
    'updated',
    'updatedat',
    'modified',
    'lastmodified',
    'lastmod',
    'dateupdated',
    'datemodified',
  );
  const title = findProperty(properties, 'title');
  const tags = [...toWords(findProperty(properties, 'tags', 'tag')), ...findTags(plain)];
  return dropEmpty({
    id,
    title: typeof title === 'string' ? title : (findHeadline(body) ?? name),
    folder: id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined,
    tags: [...new Set(tags.map((tag) => tag.replace(/^#/, '')))],
    created_at:
      time('created', 'createdat', 'date', 'datecreated', 'creationdate', 'published', 'publishedat') ??
      (day === undefined ? updated_at : readTime(day, { timeZone })),
    updated_at,
    body,
    aliases: toWords(findProperty(properties, 'aliases', 'alias')),
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    word_count: countWords(body),
  });
}

/** The path from the vault folder, so that a note keeps its id wherever the vault is imported from. */
function findCommonRoot(files: readonly InputFile[], vault: string): string {
  const path = `/${files[0]?.path ?? ''}`;
  for (let at = path.indexOf(`/${vault}/`); at !== -1; at = path.indexOf(`/${vault}/`, at + 1)) {
    const root = path.slice(1, at + vault.length + 2);
    if (files.every((file) => file.path.startsWith(root))) return root;
  }
  return '';
}

async function readWhole(file: InputFile): Promise<{ text: string; cut: boolean }> {
  let text = '';
  for await (const piece of (await decodeText(file)).pieces) {
    text += piece;
    if (text.length > MAX_CHARACTERS) return { text: text.slice(0, MAX_CHARACTERS), cut: true };
  }
  return { text, cut: false };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

/**
 * Finds the note of a link: by path from the folder of the note or the root, then by name alone, as Obsidian
 * does.
 */
function createLinkFinder(paths: readonly string[]): (target: string, from: string) => string | undefined {
  const byPath = new Map(paths.map((path) => [plain(path), path]));
  const byName = new Map<string, string>();
  // The shortest path wins if two notes share a name.
  for (const path of [...paths].sort((a, b) => b.length - a.length))
    byName.set(nameOf(path).toLowerCase(), path);
  return (target, from) => {
    const written = target.replace(/[#^].*$/, '').trim();
    if (written === '') return undefined;
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
    const wanted = [resolve(`${folder}${written}`), resolve(written)];
    const found = wanted.map((path) => byPath.get(plain(path))).find((path) => path !== undefined);
    return found ?? byName.get(nameOf(`${written.replace(/\.md$/i, '')}.md`).toLowerCase());
  };
}

const plain = (path: string) => path.replace(/\.(md|markdown|mdown|mkd|mdx|txt)$/i, '').toLowerCase();

const UNNAMED = /(^|\/)[^./]+$|\.(txt|text)$/i;
/** Folders of programs, and deleted notes. */
const HIDDEN = /(^|\/)\.[^/]+\//;

/** Finds the vault folder of a file: the one with Obsidian's settings. */
function findRoots(files: readonly InputFile[]): string[] {
  const roots = files.flatMap(({ path }) => {
    const at = path.search(/(^|\/)\.obsidian\//);
    return at === -1 ? [] : [path.slice(0, at)];
  });
  // Innermost first, because vaults may be nested.
  return [...new Set(roots)].sort((a, b) => b.length - a.length);
}

async function findVaults(files: readonly InputFile[]): Promise<Recognised[]> {
  const roots = findRoots(files);
  const vaults = new Map<string | undefined, InputFile[]>();
  for (const file of files) {
    if (HIDDEN.test(file.path) || !(await isNote(file))) continue;
    const root = roots.find((one) => one === '' || file.path.startsWith(`${one}/`));
    vaults.set(root, [...(vaults.get(root) ?? []), file]);
  }
  return [...vaults].map(([root, own]) => {
    const name = root?.split('/').at(-1) ?? '';
    return { files: own, certainty: 'likely', ...(name === '' ? {} : { account: name }) };
  });
}

/** Markdown has no signature: recognises it by extension, YAML front matter, or links and headings. */
async function isNote(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  if (head.includes('\0')) return false;
  if (NAMED.test(file.path)) return true;
  if (!UNNAMED.test(file.path)) return false;
  if (/^---\r?\n(?:[\w "'-]+:.*\r?\n|[ \t-]+.*\r?\n)+---\r?\n/.test(head)) return true;
  return /\[\[[^[\]\n]+\]\]/.test(head) && /^#{1,6} \S/m.test(head);
}
