import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { decodeText, peekText } from '../../import/read/decode-text.ts';
import { readJson } from '../../import/read/read-json.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { decodePath } from '../files/decode-path.ts';
import { makeNote, makeProblem, makeRecord, withPaths } from '../files/import-items.ts';
import { findHeadline, findLinks, findTags, stripCode } from '../markdown/note-text.ts';
import { declareNotes } from '../notes/notes-declaration.ts';
import { dropEmpty, listOf, objectOf, textOf, timeOf } from '../values/json.ts';

const MAX_TEXT_CHARACTERS = 8 * 2 ** 20;
const BEAR = 'net.shinyfrog.bear';
const INFO = /(^|\/)info\.json$/;
const TEXT = /(^|\/)text\.(md|markdown|txt)$/;
/** `#two words#`, which Bear allows beside `#word`. */
const LONG_TAG = /(?<=^|\s)#([\p{L}\p{N}][^#\n]{0,80}? [^#\n]{0,80}?[\p{L}\p{N}])#(?=\s|$)/gu;

interface Bundle {
  readonly info: InputFile;
  readonly text?: InputFile;
}

/** Reads a Bear backup, or notes exported as TextBundle: a folder per note with its text and dates. */
export const bearImporter: Importer = {
  format: 'bear',
  title: 'Bear notes',
  fillsArchive: true,
  guide: {
    steps: [
      'In Bear on a Mac, choose “File”, “Backup Notes”.',
      'Drop the file with the ending .bear2bk here.',
    ],
    waiting: 'None.',
  },
  async recognise(files) {
    const bundles = await findBundles(files);
    if (bundles.length === 0) return [];
    const own = bundles.flatMap(({ info, text }) => (text === undefined ? [info] : [info, text]));
    const folder = /^(.*\.bear2?bk)\//i.exec(own[0]?.path ?? '')?.[1];
    return [{ files: own, certainty: 'certain', ...(folder === undefined ? {} : { folder }) }];
  },
  declare: async () => declareAttachments(declareNotes('bear', 'Bear'), 'notes'),
  async *read({ files }, options) {
    for (const bundle of await findBundles(files)) yield* readBundle(bundle, options);
  },
};

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

async function findBundles(files: readonly InputFile[]): Promise<Bundle[]> {
  const texts = new Map(
    files.filter(({ path }) => TEXT.test(path)).map((file) => [folderOf(file.path), file]),
  );
  const bundles: Bundle[] = [];
  for (const info of files) {
    if (!INFO.test(info.path) || !(await peekText(info)).includes(`"${BEAR}`)) continue;
    const folder = folderOf(info.path);
    const text = texts.get(folder);
    bundles.push({ info, ...(text === undefined ? {} : { text }) });
  }
  return bundles;
}

async function* readBundle({ info, text }: Bundle, options: ImportOptions): AsyncGenerator<ImportItem> {
  const parsed = await readJson(info);
  if (parsed.kind === 'broken') return yield makeProblem(info, parsed.reason);
  const whole = objectOf(parsed.value);
  // Version 1 nests the facts in `net.shinyfrog.bear`, or uses it as a prefix.
  const facts = { ...unprefix(whole), ...objectOf(whole[BEAR]) };
  const { content, isCut } = text === undefined ? { content: '', isCut: false } : await readText(text);
  if (isCut) yield makeProblem(info, 'is longer than 8 million characters; the rest was skipped');
  const isLocked = isSet(facts.encrypted);
  if (isLocked) yield makeNote(info, 'encrypted notes have no text in a Bear backup');
  const plain = stripCode(content);
  const links = findLinks(plain);
  const name = folderOf(info.path).split('/').at(-2) ?? '';
  const data = dropEmpty({
    id: textOf(facts.uniqueIdentifier) ?? name.replace(/\.textbundle$/i, ''),
    title:
      textOf(facts.title) ??
      findHeadline(content) ??
      findFirstLine(content) ??
      name.replace(/\.textbundle$/i, ''),
    text: content.trim(),
    tags: findBearTags(plain, facts.tags),
    created_at: timeOf(facts.creationDate, options),
    edited_at: timeOf(facts.modificationDate, options) ?? timeOf(facts.creationDate, options),
    is_pinned: isSet(facts.pinned) || undefined,
    is_archived: isSet(facts.archived) || undefined,
    is_trashed: isSet(facts.trashed) || undefined,
    is_locked: isLocked || undefined,
    attachments: links
      .filter(({ target }) => target.startsWith('assets/'))
      .map(({ target }) => target.slice(7)),
    links: [...new Set(links.filter(({ kind }) => kind === 'web').map(({ target }) => target))],
  });
  const assets = links.flatMap(({ target }) => (target.startsWith('assets/') ? [decodePath(target)] : []));
  yield withPaths(makeRecord(text ?? info, 'notes', data), assets);
}

const isSet = (value: unknown) => value === 1 || value === true;

function unprefix(whole: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(whole).filter(([name]) => name.startsWith(`${BEAR}.`));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(BEAR.length + 1), value]));
}

function findBearTags(plain: string, listed: unknown): string[] {
  const long = [...plain.matchAll(LONG_TAG)].map(([, tag]) => tag as string);
  // The first word of a long tag is not a tag.
  const short = findTags(plain.replace(LONG_TAG, ''));
  return [...new Set([...listOf(listed).flatMap((tag) => textOf(tag) ?? []), ...long, ...short])];
}

function findFirstLine(content: string): string | undefined {
  const lines = content.split('\n').map((line) => line.replace(/^#+\s*/, '').trim());
  return lines.find((line) => line !== '')?.slice(0, 200);
}

async function readText(file: InputFile): Promise<{ content: string; isCut: boolean }> {
  let content = '';
  for await (const piece of (await decodeText(file)).pieces) {
    content += piece;
    if (content.length > MAX_TEXT_CHARACTERS)
      return { content: content.slice(0, MAX_TEXT_CHARACTERS), isCut: true };
  }
  return { content, isCut: false };
}
