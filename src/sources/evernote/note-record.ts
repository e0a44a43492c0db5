import type { ImportOptions } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { findAll, findText, type XmlTree } from '../files/xml-tree.ts';
import { type HtmlNote, readHtmlNote } from '../notes/html-note.ts';
import { dropEmpty, integerOf, timeOf } from '../values/json.ts';

export interface EvernoteNote {
  /** The key is missing, because it depends on the other notes. */
  readonly data: Record<string, unknown>;
  readonly attachments: readonly Resource[];
  /** The program's own id, if a backup tool wrote it. */
  readonly guid: string | undefined;
  /** Whether the whole text is encrypted, as 印象笔记 does. */
  readonly isLocked: boolean;
  readonly hasEncryptedParts: boolean;
}

/** A file in a note. */
export interface Resource {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** The position of the content. */
  readonly data: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly source_url: string | undefined;
  readonly created_at: string | undefined;
}

const NOTHING: HtmlNote = { text: '', targets: [], hasEncryptedParts: false };

export function readEvernoteNote(tree: XmlTree, folder: string, options: ImportOptions): EvernoteNote {
  const content = findAll(tree, 'content')[0];
  const isLocked = /aes/i.test(content?.attributes.encoding ?? '');
  const body = content === undefined || isLocked ? NOTHING : readHtmlNote(content.text);
  const attribute = (name: string) => findText(tree, `note-attributes/${name}`);
  const time = (name: string) => timeOf(findText(tree, name, `note-attributes/${name}`), options);
  const attachments = findAll(tree, 'resource').map((resource) => readResource(resource, options));
  const created_at = time('created');
  const data = dropEmpty({
    title: findText(tree, 'title'),
    text: [body.text, ...readTasks(tree)].filter((part) => part !== '').join('\n'),
    folder,
    tags: [...new Set(findAll(tree, 'tag').map(({ text }) => text.trim()))].filter((tag) => tag !== ''),
    created_at,
    edited_at: time('updated') ?? created_at,
    is_locked: isLocked || undefined,
    attachments: attachments.map(({ name, type }) => name ?? type ?? 'file'),
    links: body.targets.filter((target) => /^https?:/i.test(target)),
    author: attribute('author'),
    source: attribute('source'),
    source_url: attribute('source-url'),
    place: attribute('place-name'),
    latitude: coordinateOf(attribute('latitude'), 90),
    longitude: coordinateOf(attribute('longitude'), 180),
    reminder_at: time('reminder-time'),
    reminder_done_at: time('reminder-done-time'),
  });
  const { hasEncryptedParts } = body;
  return { data, attachments, guid: findText(tree, 'guid'), isLocked, hasEncryptedParts };
}

/** The identity of a note. ENEX has no ids, but the creation time of a note is stable. */
export function makeNoteKey({ title, created_at, text }: Record<string, unknown>): string {
  return hashKey(String(title ?? ''), String(created_at ?? text ?? ''));
}

function readResource(resource: XmlTree, options: ImportOptions): Resource {
  const find = (name: string) => findText(resource, name, `resource-attributes/${name}`);
  return {
    name: find('file-name'),
    type: find('mime'),
    data: find('data'),
    width: sizeOf(find('width')),
    height: sizeOf(find('height')),
    source_url: find('source-url'),
    created_at: timeOf(find('timestamp'), options),
  };
}

/** Evernote writes 0 for an unknown picture size. */
const sizeOf = (text: string | undefined) => integerOf(text) || undefined;

function coordinateOf(text: string | undefined, most: number): number | undefined {
  const degrees = Number(text ?? Number.NaN);
  return Math.abs(degrees) <= most ? degrees : undefined;
}

function readTasks(tree: XmlTree): string[] {
  return findAll(tree, 'task').flatMap((task) => {
    const title = findText(task, 'title');
    if (title === undefined) return [];
    const isDone = findText(task, 'taskStatus') === 'completed';
    const due = /^(\d{4})(\d\d)(\d\d)/.exec(findText(task, 'dueDate') ?? '');
    const until = due === null ? '' : ` (due ${due[1]}-${due[2]}-${due[3]})`;
    return [`- [${isDone ? 'x' : ' '}] ${title}${until}`];
  });
}
