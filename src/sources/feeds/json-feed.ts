import type { InputFile } from '../../import/importer.ts';
import { decodeText } from '../../import/read/decode-text.ts';
import type { Entry } from './feed-entry.ts';

type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Reads JSON Feed 1.0 and 1.1. */
export async function readJsonFeed(file: InputFile) {
  const { pieces } = await decodeText(file, 'utf-8');
  let text = '';
  for await (const piece of pieces) text += piece;
  const feed = parse(text);
  const isFeed = textOf(feed?.version)?.includes('jsonfeed.org') ?? false;
  const entries = isFeed ? listOf(feed?.items).map((item) => readItem(objectOf(item))) : [];
  return { isFeed, title: textOf(feed?.title), entries, isCut: false };
}

function parse(text: string): Json | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readItem(item: Json): Entry {
  const authors = [...listOf(item.authors), item.author].map((author) => textOf(objectOf(author).name));
  const names = [...new Set(authors.filter((name) => name !== undefined))];
  // Plain text is not markup: a `<` in it stays.
  const plain = textOf(item.content_text)
    ?.replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('\n', '<br>');
  return {
    id: typeof item.id === 'number' ? String(item.id) : textOf(item.id),
    title: textOf(item.title),
    url: textOf(item.url) ?? textOf(item.external_url),
    author: names.length > 0 ? names.join(', ') : undefined,
    published: textOf(item.date_published),
    updated: textOf(item.date_modified),
    html: plain ?? textOf(item.content_html) ?? textOf(item.summary),
    categories: listOf(item.tags).flatMap((tag) => textOf(tag) ?? []),
    mediaUrl: listOf(item.attachments).map((one) => textOf(objectOf(one).url))[0],
  };
}
