import type { Importer, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readHtmlEvents, readHtmlText } from '../../import/read/html-text.ts';
import { readJson } from '../../import/read/read-json.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { makeProblem, makeRecord, withPaths } from '../files/import-items.ts';
import { booleanOf, isObject, objectsOf, someOf, trimmedText } from '../values/json.ts';
import { createKeyCounter } from '../values/unique-key.ts';
import { googleKeepDeclaration } from './google-keep-declaration.ts';

/** Reads the notes of Google Takeout: a JSON file per note, or an HTML page. */
export const googleKeepImporter: Importer = {
  format: 'google-keep',
  title: 'Google Keep (Google Takeout)',
  fillsArchive: true,
  guide: {
    steps: [
      'Open takeout.google.com and sign in.',
      'Choose “Deselect all”, then tick “Keep”.',
      'Choose “Next step”, “Create export”, and drop the zip here.',
    ],
    waiting: 'A few minutes.',
  },
  async recognise(files) {
    const found: InputFile[] = [];
    const pages: InputFile[] = [];
    for (const file of files) {
      const head = await peekText(file);
      if (isNote(head)) found.push(file);
      else if (isKeepPage(head)) pages.push(file);
    }
    // The JSON file of a note has more fields than its HTML page.
    const known = new Set(found.map(baseOf));
    found.push(...pages.filter((page) => !known.has(baseOf(page))));
    return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
  },
  declare: async () => googleKeepDeclaration,
  async *read({ files }, options) {
    const countKey = createKeyCounter();
    for (const file of files) {
      if (isKeepPage(await peekText(file))) {
        const data = { id: nameOf(file), ...(await readKeepPage(file, options)) };
        yield makeRecord(file, 'notes', data);
        continue;
      }
      const parsed = await readJson(file);
      if (parsed.kind === 'broken' || !isObject(parsed.value)) {
        yield makeProblem(file, parsed.kind === 'broken' ? parsed.reason : 'is not a note');
        continue;
      }
      const key = trimmedText(parsed.value.createdTimestampUsec) ?? nameOf(file);
      const data = { id: countKey(key), ...readNote(parsed.value) };
      const paths = objectsOf(parsed.value.attachments).map(({ filePath }) => trimmedText(filePath));
      yield withPaths(makeRecord(file, 'notes', data), paths);
    }
  },
};

function isNote(head: string): boolean {
  return (
    /^\s*\{/.test(head) &&
    /"(?:userEditedTimestampUsec|isTrashed)"\s*:/.test(head) &&
    /"(?:isPinned|isArchived|color)"\s*:/.test(head) &&
    /"(?:textContent|listContent|title|attachments)"\s*:/.test(head)
  );
}

function readNote(note: Record<string, unknown>): Record<string, unknown> {
  const items = objectsOf(note.listContent);
  const done = items.filter(({ isChecked }) => isChecked === true).length;
  const plain = trimmedText(note.textContent) ?? readHtmlText(trimmedText(note.textContentHtml) ?? '');
  const lines = items.map(
    (item) => `[${item.isChecked === true ? 'x' : ' '}] ${trimmedText(item.text) ?? ''}`,
  );
  return {
    title: trimmedText(note.title),
    text: [plain, ...lines].filter((line) => line !== '').join('\n') || undefined,
    labels: someOf(objectsOf(note.labels).flatMap(({ name }) => trimmedText(name) ?? [])),
    color: trimmedText(note.color)?.toLowerCase(),
    is_pinned: booleanOf(note.isPinned),
    is_archived: booleanOf(note.isArchived),
    is_trashed: booleanOf(note.isTrashed),
    open_items: items.length > 0 ? items.length - done : undefined,
    done_items: items.length > 0 ? done : undefined,
    shared_with: someOf(objectsOf(note.sharees).flatMap(({ email }) => trimmedText(email) ?? [])),
    links: someOf(objectsOf(note.annotations).flatMap(({ url }) => trimmedText(url) ?? [])),
    attachments: someOf(objectsOf(note.attachments).flatMap(({ filePath }) => trimmedText(filePath) ?? [])),
    created_at: readEpoch(note.createdTimestampUsec, 'us'),
    edited_at: readEpoch(note.userEditedTimestampUsec, 'us'),
  };
}

/** Notes from before 2022 have no creation time; their file is named after their title. */
function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(?:json|html?)$/i, '').slice(0, 120);
}

const baseOf = ({ path }: InputFile) => path.replace(/\.\w+$/, '');

/** Returns whether a page is a note. Before 2018 a note was only an HTML page; since then it is also a JSON file. */
function isKeepPage(head: string): boolean {
  return (
    /<div class="note\b/.test(head) &&
    /<div class="heading"/.test(head) &&
    /class="(?:content|title)"/.test(head)
  );
}

const PARTS = ['heading', 'title', 'content', 'label-name'] as const;
type Part = (typeof PARTS)[number];

/** Reads a note from its page, which has one local time: the last edit. */
async function readKeepPage(file: InputFile, options: ImportOptions): Promise<Record<string, unknown>> {
  const texts: Record<Part, string> = { heading: '', title: '', content: '', 'label-name': '' };
  const open: { name: string; part: Part | undefined }[] = [];
  let [open_items, done_items] = [0, 0];
  for await (const event of readHtmlEvents(file)) {
    const part = open.at(-1)?.part;
    if (event.kind === 'text') {
      const isBullet = /^\s*[\u2610-\u2612]\s*$/.test(event.text);
      if (part !== undefined && !isBullet) texts[part] += event.text.replace(/\s+/g, ' ');
    } else if (event.kind === 'open') {
      const classes = (event.attributes.class ?? '').split(/\s+/);
      if (event.name === 'br' && part !== undefined) texts[part] += '\n';
      if (classes.includes('listitem')) {
        const isDone = classes.includes('checked');
        if (isDone) done_items += 1;
        else open_items += 1;
        texts.content += `\n[${isDone ? 'x' : ' '}] `;
      }
      open.push({ name: event.name, part: PARTS.find((one) => classes.includes(one)) ?? part });
    } else {
      const at = open.findLastIndex(({ name }) => name === event.name);
      const closed = at < 0 ? [] : open.splice(at);
      if (closed[0]?.part === 'label-name') texts['label-name'] += '\n';
    }
  }
  const collapseSpaces = (text: string) =>
    text
      .replace(/[ \t\u00a0]+/g, ' ')
      .replace(/ ?\n\s*/g, '\n')
      .trim();
  const isList = open_items + done_items > 0;
  return {
    title: collapseSpaces(texts.title) || undefined,
    text: collapseSpaces(texts.content) || undefined,
    labels: someOf(
      collapseSpaces(texts['label-name'])
        .split('\n')
        .filter((label) => label !== ''),
    ),
    open_items: isList ? open_items : undefined,
    done_items: isList ? done_items : undefined,
    edited_at: readTime(collapseSpaces(texts.heading), options),
  };
}
