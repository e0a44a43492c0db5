import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { decodeText, peekText } from '../../import/read/decode-text.ts';
import { openTable } from '../../import/read/read-table.ts';
import { readTime } from '../../import/read/read-time.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { decodePath } from '../files/decode-path.ts';
import { makeNote, makeProblem, makeRecord, withPaths } from '../files/import-items.ts';
import { declareNotes } from '../notes/notes-declaration.ts';
import { dropEmpty } from '../values/json.ts';
import { splitList } from '../values/words.ts';
import { findNotionFiles } from './find-pages.ts';
import { baseOf, childFolderKey, folderKey, listFolders, readName } from './notion-names.ts';
import { type NotionPage, readHtmlPage, readMarkdownPage } from './notion-page.ts';

const MAX_TEXT_CHARACTERS = 8 * 2 ** 20;

const notionDeclaration = declareNotes('notion', 'Notion', {
  parent_id: 'text: The page or database above it',
  database: 'text: The database it is a row of',
  properties: { type: 'object', description: 'The properties of a page, as the export writes them' },
});

/** Reads Notion pages, exported as HTML or as Markdown and CSV. A database row and its page become one note. */
export const notionImporter: Importer = {
  format: 'notion',
  title: 'Notion',
  fillsArchive: true,
  guide: {
    steps: [
      'In Notion, open Settings, General, and choose “Export all workspace content”.',
      'Choose “Markdown & CSV” or “HTML”, with subpages, and drop the zip here.',
    ],
    waiting: 'Minutes to hours; Notion sends a link by email.',
  },
  async recognise(files) {
    const { pages, tables, views, isCertain } = await findNotionFiles(files);
    const own = [...pages, ...tables, ...views];
    if (own.length === 0) return [];
    return [{ files: own, certainty: isCertain ? 'certain' : 'likely' }];
  },
  declare: async () => declareAttachments(notionDeclaration, 'notes'),
  async *read({ files }, options) {
    yield* new NotionReader(options).read(files);
  },
};

class NotionReader {
  readonly #options: ImportOptions;
  readonly #done = new Set<InputFile>();
  readonly #ids = new Set<string>();
  readonly #parents = new Map<string, string>();
  readonly #pages = new Map<string, InputFile>();
  #duplicates = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }
  async *read(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
    const { pages, tables } = await findNotionFiles(files);
    for (const file of [...pages, ...tables]) this.#parents.set(childFolderKey(file), idOf(file));
    for (const page of pages) this.#pages.set(idOf(page), page);
    const inFolder = new Map<string, InputFile[]>();
    for (const page of pages) {
      const key = folderKey(page.path);
      const list = inFolder.get(key);
      if (list === undefined) inFolder.set(key, [page]);
      else list.push(page);
    }
    const withTable = new Set(tables.map(childFolderKey));
    for (const table of tables) {
      const own = inFolder.get(childFolderKey(table)) ?? [];
      // Without subfolders all pages are beside the table.
      const nearby = own.length > 0 ? [] : (inFolder.get(folderKey(table.path)) ?? []);
      yield* this.#readDatabase(table, { own, nearby }, withTable);
    }
    for (const page of pages) if (!this.#done.has(page)) yield* this.#readPage(page, withTable);
    const [file] = files;
    if (this.#duplicates > 0 && file !== undefined)
      yield makeNote(file, `${this.#duplicates} duplicate pages skipped`);
  }

  async *#readDatabase(
    file: InputFile,
    { own, nearby }: { own: readonly InputFile[]; nearby: readonly InputFile[] },
    withTable: ReadonlySet<string>,
  ): AsyncGenerator<ImportItem> {
    const table = await openTable(file, { delimiter: ',', isHeader: () => true });
    if (table === undefined) return yield makeProblem(file, 'has no header row');
    const database = readName(baseOf(file.path));
    const columns = new Set(table.columns.map((name) => name.toLowerCase()));
    const byTitle = await groupByTitle([...own, ...(await findRows(nearby, columns))]);
    const counts = new Map<string, number>();
    for await (const row of table.rows()) {
      if (row.kind === 'problem') {
        yield { ...row, file };
        continue;
      }
      const values = Object.fromEntries(Object.entries(row.values).filter(([, cell]) => cell.trim() !== ''));
      if (Object.keys(values).length === 0) continue;
      const titles = [table.columns[0] ?? '', 'Name'].map((name) => normaliseTitle(row.values[name] ?? ''));
      const title = titles.find((one) => byTitle.has(one)) ?? titles[0] ?? '';
      const named = this.#pages.get(row.values.ID ?? '');
      const candidates = named === undefined ? (byTitle.get(title) ?? []) : [named];
      const page = candidates.find((one) => !this.#done.has(one));
      if (page !== undefined) {
        // If several pages share a title, their rows cannot be matched.
        const more = candidates.length === 1 ? values : {};
        yield* this.#readPage(page, withTable, { database: database.title, columns, more });
        continue;
      }
      const count = (counts.get(title) ?? 0) + 1;
      counts.set(title, count);
      const id = hashKey(database.id ?? database.title, title, count);
      const folders = [...listFolders(file.path), database.title];
      const data = toNote(
        { title: row.values[table.columns[0] ?? '']?.trim(), text: '', properties: values, targets: [] },
        { id, folders, parent_id: database.id, database: database.title },
        this.#options,
      );
      yield makeRecord(file, 'notes', data, `line ${row.line}`);
    }
    for (const page of own)
      if (!this.#done.has(page))
        yield* this.#readPage(page, withTable, { database: database.title, columns, more: {} });
  }

  async *#readPage(
    file: InputFile,
    withTable: ReadonlySet<string>,
    row?: { database: string; columns: ReadonlySet<string>; more: Readonly<Record<string, string>> },
  ): AsyncGenerator<ImportItem> {
    this.#done.add(file);
    const { written, isCut } = await readText(file);
    if (isCut) yield makeProblem(file, 'is longer than 8 million characters; the rest was skipped');
    const read: NotionPage = /\.md$/i.test(file.path)
      ? readMarkdownPage(written, row?.columns)
      : readHtmlPage(written, withTable.has(childFolderKey(file)));
    const name = readName(baseOf(file.path));
    const id = read.id ?? idOf(file);
    if (this.#ids.has(id)) {
      this.#duplicates += 1;
      return;
    }
    this.#ids.add(id);
    const own = { ...row?.more, ...read.properties };
    const page = { ...read, title: read.title ?? name.title, properties: own };
    const parent_id = this.#parents.get(folderKey(file.path));
    const location = { id, folders: listFolders(file.path), parent_id, database: row?.database };
    const record = makeRecord(file, 'notes', toNote(page, location, this.#options));
    yield withPaths(record, listFiles(page));
  }
}

const idOf = (file: InputFile): string => readName(baseOf(file.path)).id ?? hashKey(childFolderKey(file));

const normaliseTitle = (title: string) => title.replace(/\s+/g, ' ').trim().toLowerCase();

async function peekPage(page: InputFile): Promise<NotionPage> {
  const head = await peekText(page);
  return /\.md$/i.test(page.path) ? readMarkdownPage(head, undefined) : readHtmlPage(head, false);
}

/** Groups pages by title. File names are truncated and lack some characters. */
async function groupByTitle(pages: readonly InputFile[]): Promise<Map<string, InputFile[]>> {
  const found = new Map<string, InputFile[]>();
  for (const page of pages) {
    const { title } = await peekPage(page);
    const key = normaliseTitle(title ?? readName(baseOf(page.path)).title);
    const list = found.get(key);
    if (list === undefined) found.set(key, [page]);
    else list.push(page);
  }
  return found;
}

async function findRows(pages: readonly InputFile[], columns: ReadonlySet<string>): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const page of pages) {
    const names = Object.keys((await peekPage(page)).properties);
    if (names.some((name) => columns.has(name.toLowerCase()))) found.push(page);
  }
  return found;
}

async function readText(file: InputFile): Promise<{ written: string; isCut: boolean }> {
  let written = '';
  for await (const piece of (await decodeText(file)).pieces) {
    written += piece;
    if (written.length > MAX_TEXT_CHARACTERS)
      return { written: written.slice(0, MAX_TEXT_CHARACTERS), isCut: true };
  }
  return { written, isCut: false };
}

interface NotionLocation {
  readonly id: string;
  readonly folders: readonly string[];
  readonly parent_id: string | undefined;
  readonly database: string | undefined;
}

const CREATED =
  /^(?:created(?: time| at| on)?|date created|creation date|erstellt(?: am)?|fecha de creación|date de création)$/i;
const EDITED =
  /^(?:last edited(?: time| at)?|last updated|updated(?: at)?|last modified|zuletzt bearbeitet|última edición|dernière modification)$/i;
const TAGS = /^(?:tags?|labels?|schlagwörter|etiquetas|étiquettes)$/i;

/** Converts a page. Its times are found only in its properties. */
function toNote(page: NotionPage, location: NotionLocation, options: ImportOptions): Record<string, unknown> {
  const find = (name: RegExp) => Object.entries(page.properties).find(([key]) => name.test(key))?.[1];
  const time = (name: RegExp) => readTime((find(name) ?? '').replace(/^@/, ''), options);
  const created_at = time(CREATED);
  return dropEmpty({
    id: location.id,
    title: page.title,
    text: page.text,
    folder: location.folders.join('/'),
    tags: splitList(find(TAGS), /[,;]/),
    created_at,
    edited_at: time(EDITED) ?? created_at,
    attachments: listFiles(page).map(nameOf),
    links: [...new Set(page.targets.filter((target) => /^https?:/i.test(target)))],
    parent_id: location.parent_id,
    database: location.database,
    properties: Object.keys(page.properties).length === 0 ? undefined : page.properties,
  });
}

/** Returns the paths of files that a page links to, without other pages. */
const listFiles = ({ targets }: NotionPage): string[] =>
  targets
    .filter((target) => !/^[a-z][a-z0-9+.-]*:|^#|^\//i.test(target))
    .map(decodePath)
    .filter((path) => !/\.(?:md|html?|csv)$/i.test(path));

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
