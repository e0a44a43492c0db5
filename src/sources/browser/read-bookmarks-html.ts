import type { InputFile, Yielded } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { makeNote, makeProblem, makeRecord } from '../files/yielded.ts';
import { splitList } from '../values/words.ts';
import type { Bookmark, BookmarkKeys } from './bookmark.ts';

type Attributes = Readonly<Record<string, string>>;

/** Reads the Netscape format, which every browser writes: DL is a folder's content, H3 its name, A a bookmark, DD a remark. */
export async function* readBookmarksHtml(file: InputFile, keys: BookmarkKeys): AsyncGenerator<Yielded> {
  const folders: string[] = [];
  let heading = '';
  let open: { attributes: Attributes; title: string; description: string } | undefined;
  let inside: 'heading' | 'link' | 'remark' | undefined;
  let count = 0;
  const close = function* (): Generator<Yielded> {
    if (open === undefined) return;
    const bookmark = toBookmark(open, folders);
    open = undefined;
    count += 1;
    const place = `bookmark ${count}`;
    if (bookmark === undefined) yield makeProblem(file, 'has no address', place);
    else yield makeRecord(file, 'bookmarks', keys.toRecord(bookmark), place);
  };
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') {
      if (inside === 'heading') heading += event.text;
      if (inside === 'link' && open !== undefined) open.title += event.text;
      if (inside === 'remark' && open !== undefined) open.description += event.text;
    } else if (event.kind === 'open') {
      if (event.name !== 'dd' && /^(?:a|h3|dl|dt)$/.test(event.name)) yield* close();
      if (event.name === 'h3') heading = '';
      if (event.name === 'dl') folders.push(heading.trim());
      if (event.name === 'a') open = { attributes: event.attributes, title: '', description: '' };
      inside = { h3: 'heading', a: 'link', dd: 'remark' }[event.name] as typeof inside;
    } else if (event.name === 'dl') {
      yield* close();
      folders.pop();
      heading = '';
    } else if (event.name === 'a' || event.name === 'h3') inside = undefined;
  }
  yield* close();
  if (count === 0) yield makeNote(file, 'there are no bookmarks in it');
}

function toBookmark(
  { attributes, title, description }: { attributes: Attributes; title: string; description: string },
  folders: readonly string[],
): Bookmark | undefined {
  const url = (attributes.href ?? attributes.feedurl ?? '').trim();
  if (url === '') return undefined;
  const tidy = (text: string) => text.replace(/\s+/g, ' ').trim() || undefined;
  return {
    url,
    title: tidy(title),
    folders: folders.filter((folder) => folder !== ''),
    tags: splitList(attributes.tags),
    description: tidy(description),
    addedAt: readEpoch(attributes.add_date ?? attributes.time_added),
    updatedAt: readEpoch(attributes.last_modified),
  };
}
