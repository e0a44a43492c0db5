import type { ImportOptions } from '../../import/importer.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import {
  firstText,
  flagOf,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  textsOf,
  timeOf,
} from '../values/json.ts';
import type { ListRecord } from './list-record.ts';

export interface JsonList {
  readonly keys: readonly string[];
  read(item: JsonObject, options: ImportOptions): ListRecord[];
}

export const omnivoreJson: JsonList = {
  keys: ['slug', 'savedAt', 'readingProgress', 'url'],
  read: (item, options) => [
    {
      stream: 'bookmarks',
      id: textOf(item.id),
      title: textOf(item.title),
      url: textOf(item.url),
      author: textOf(item.author),
      tags: textsOf(item.labels),
      state: textOf(item.state),
      description: textOf(item.description),
      progress: percentOf(item.readingProgress),
      added_at: timeOf(item.savedAt, options),
      updated_at: timeOf(item.updatedAt, options),
      published_at: timeOf(item.publishedAt, options),
    },
  ],
};

export const wallabagJson: JsonList = {
  keys: ['is_archived', 'is_starred', 'url'],
  read(item, options) {
    const page = { title: textOf(item.title), url: textOf(item.url) };
    const notes = listOf(item.annotations).map(objectOf);
    return [
      {
        stream: 'bookmarks',
        id: textOf(item.id),
        ...page,
        author: textsOf(item.published_by)?.join(', '),
        tags: textsOf(item.tags),
        state: item.is_archived === 1 || item.is_archived === true ? 'archived' : 'unread',
        is_favorite: item.is_starred === 1 || item.is_starred === true ? true : undefined,
        added_at: timeOf(item.created_at, options),
        updated_at: timeOf(item.updated_at, options),
        published_at: timeOf(item.published_at, options),
      },
      ...notes.map(
        (one): ListRecord => ({
          stream: 'highlights',
          id: textOf(one.id),
          ...page,
          text: firstText(one.quote, one.text),
          note: textOf(one.quote) === undefined ? undefined : textOf(one.text),
          highlighted_at: timeOf(one.created_at, options),
        }),
      ),
    ];
  },
};

export const pinboardJson: JsonList = {
  keys: ['href', 'description', 'extended', 'toread', 'tags'],
  read: (item, options) => [
    {
      stream: 'bookmarks',
      id: textOf(item.hash),
      title: textOf(item.description),
      url: textOf(item.href),
      note: textOf(item.extended),
      tags: textOf(item.tags)?.split(/\s+/),
      state: flagOf(item.toread) === true || item.toread === 'yes' ? 'unread' : undefined,
      added_at: timeOf(item.time, options),
    },
  ],
};

/** Highlights of Pocket, grouped by page. */
export const pocketJson: JsonList = {
  keys: ['title', 'url', 'highlights'],
  read: (item) =>
    listOf(item.highlights)
      .map(objectOf)
      .map((one) => ({
        stream: 'highlights',
        title: textOf(item.title),
        url: textOf(item.url),
        text: textOf(one.quote),
        highlighted_at: readEpoch(one.created_at),
      })),
};

function percentOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.round(value * 100) / 10_000 : undefined;
}
