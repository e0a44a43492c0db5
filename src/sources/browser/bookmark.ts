import { hashKey } from '../../import/read/hash-key.ts';
import { unlessEmpty } from '../values/json-values.ts';

export interface Bookmark {
  readonly url: string;
  readonly title: string | undefined;
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly description: string | undefined;
  readonly addedAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** Gives bookmarks their keys: the address and the folder, counted where both are the same. */
export class BookmarkKeys {
  readonly #seen = new Map<string, number>();

  toRecord({
    url,
    title,
    folders,
    tags,
    description,
    addedAt,
    updatedAt,
  }: Bookmark): Record<string, unknown> {
    const folder = folders.join(' / ');
    const key = hashKey(url, folder);
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    return {
      id: count === 1 ? key : `${key}-${count}`,
      title: title ?? url.slice(0, 200),
      url,
      host: findHost(url),
      folder: folder === '' ? undefined : folder,
      tags: unlessEmpty(tags),
      description,
      added_at: addedAt,
      updated_at: updatedAt,
    };
  }
}

export function findHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  return host === '' ? undefined : host;
}
