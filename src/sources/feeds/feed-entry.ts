import { readHtmlText } from '../../import/read/html-text.ts';
import { readTime } from '../../import/read/read-time.ts';

/** An entry as its feed has it. */
export interface Entry {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly author: string | undefined;
  readonly published: string | undefined;
  readonly updated: string | undefined;
  readonly html: string | undefined;
  readonly categories: readonly string[];
  readonly mediaUrl: string | undefined;
}

const MAX_ID_BYTES = 400;
const MAX_TEXT_CHARACTERS = 500_000;

/** An entry is identified by its id or address. An edited entry keeps its key. */
export function toRecord(
  entry: Entry,
  feed: string | undefined,
  timeZone: string,
  hashKey: (...parts: (string | undefined)[]) => string,
): Record<string, unknown> {
  const own = entry.id ?? entry.url;
  const isKey = own !== undefined && Buffer.byteLength(own) <= MAX_ID_BYTES;
  const at = (time: string | undefined) => (time === undefined ? undefined : readTime(time, { timeZone }));
  const categories = [...new Set(entry.categories.map((one) => one.trim()).filter((one) => one !== ''))];
  return {
    id: isKey ? own : hashKey(own ?? entry.title, own === undefined ? entry.published : undefined),
    title: entry.title === undefined ? undefined : toText(entry.title),
    url: entry.url,
    author: entry.author === undefined ? undefined : toText(entry.author),
    published_at: at(entry.published) ?? at(entry.updated),
    updated_at: at(entry.updated),
    text: entry.html === undefined ? undefined : toText(entry.html)?.slice(0, MAX_TEXT_CHARACTERS),
    categories: categories.length > 0 ? categories : undefined,
    media_url: entry.mediaUrl,
    feed: feed === undefined ? undefined : toText(feed),
  };
}

/** Feeds write markup in any text. */
function toText(text: string): string | undefined {
  const plain = /[<&]/.test(text) ? readHtmlText(text) : text.trim();
  return plain === '' ? undefined : plain;
}
