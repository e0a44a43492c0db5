import type { ImportItem, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { readXmlTrees, type XmlTree } from '../files/xml-tree.ts';
import { type Entry, toRecord } from './feed-entry.ts';
import { readJsonFeed } from './json-feed.ts';

/** What a feed contains. `isFeed` is false for other documents. */
export interface Feed {
  readonly isFeed: boolean;
  readonly title: string | undefined;
  readonly items: readonly ImportItem[];
}

/** Feeds are short. The rest of a longer one is left out. */
const MAX_ENTRIES = 10_000;
const ROOTS = new Set(['rss', 'feed', 'RDF']);

/** Reads RSS 0.9 to 2.0, Atom and JSON Feed. */
export async function readFeed(file: InputFile, timeZone: string): Promise<Feed> {
  const isJson = /^\s*\{/.test(await peekText(file));
  const { isFeed, title, entries, isCut } = isJson ? await readJsonFeed(file) : await readXmlFeed(file);
  const items: ImportItem[] = entries
    .slice(0, MAX_ENTRIES)
    .map((entry) => makeRecord(file, 'entries', toRecord(entry, title, timeZone, hashKey)));
  if (isCut) items.push(makeProblem(file, 'is cut off or damaged'));
  if (entries.length > MAX_ENTRIES)
    items.push(makeProblem(file, `has more than ${MAX_ENTRIES} entries. The rest was skipped.`));
  return { isFeed, title, items };
}

async function readXmlFeed(file: InputFile) {
  const isWanted = (name: string) => name === 'item' || name === 'entry' || name === 'title';
  let root: string | undefined;
  let title: string | undefined;
  let isCut = false;
  const entries: Entry[] = [];
  for await (const part of readXmlTrees(readXmlPieces(file), isWanted)) {
    if (part.kind === 'problem') isCut = true;
    else if (part.kind === 'begin') root ??= part.name;
    else if (part.tree.name === 'title') title ??= flatten(part.tree) || undefined;
    else entries.push(readEntry(part.tree));
    if ((root !== undefined && !ROOTS.has(root)) || entries.length > MAX_ENTRIES) break;
  }
  return { isFeed: root !== undefined && ROOTS.has(root), title, entries, isCut };
}

function readEntry(tree: XmlTree): Entry {
  const first = (...names: readonly string[]) => {
    for (const name of names) {
      const found = tree.children.find((child) => child.name === name && flatten(child) !== '');
      if (found !== undefined) return flatten(found);
    }
    return undefined;
  };
  const links = tree.children.filter(({ name }) => name === 'link');
  const address = ({ attributes, text }: XmlTree) => attributes.href ?? text.trim();
  const page = links.find(({ attributes: { rel = 'alternate' } }) => rel === 'alternate');
  const media =
    tree.children.find(({ name }) => name === 'enclosure')?.attributes.url ??
    links.find(({ attributes }) => attributes.rel === 'enclosure')?.attributes.href;
  return {
    id: first('guid', 'id'),
    title: first('title'),
    url: page && address(page),
    author: readAuthor(tree) ?? first('creator'),
    published: first('pubDate', 'published', 'date', 'issued'),
    updated: first('updated', 'modified'),
    html: first('encoded', 'content', 'description', 'summary'),
    categories: tree.children
      .filter(({ name }) => name === 'category' || name === 'subject')
      .map((category) => category.attributes.term ?? flatten(category)),
    mediaUrl: media,
  };
}

/** Atom has a name inside, RSS an address with a name in brackets. */
function readAuthor(tree: XmlTree): string | undefined {
  const author = tree.children.find(({ name }) => name === 'author');
  if (author === undefined) return undefined;
  const name = author.children.find((child) => child.name === 'name');
  const text = flatten(name ?? author);
  return (/^\S+@\S+ \((.+)\)$/.exec(text)?.[1] ?? text) || undefined;
}

/** Joins the texts of an element, as of XHTML in Atom. */
function flatten(tree: XmlTree): string {
  return [tree.text, ...tree.children.map(flatten)].join(' ').trim();
}
