import { hashKey } from '../../import/make-key.ts';
import { someOf } from '../values/json.ts';
import { createKeyCounter } from '../values/unique-key.ts';

export interface Bookmark {
  readonly url: string;
  readonly title: string | undefined;
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly description: string | undefined;
  readonly addedAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** Converts bookmarks to records. The key is made of URL and folder; duplicates are numbered. */
export class BookmarkRecords {
  readonly #countKey = createKeyCounter();

  toRecord({ url, title, folders, tags, ...rest }: Bookmark): Record<string, unknown> {
    const folder = folders.join(' / ');
    return {
      id: this.#countKey(hashKey(url, folder)),
      title: title ?? url.slice(0, 200),
      url,
      host: findHost(url),
      folder: folder === '' ? undefined : folder,
      tags: someOf(tags),
      description: rest.description,
      added_at: rest.addedAt,
      updated_at: rest.updatedAt,
    };
  }
}

export function findHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  return host === '' ? undefined : host;
}
