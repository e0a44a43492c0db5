import type { ImportOptions } from '../../import/importer.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { cellNumber, type Get } from '../values/table-cells.ts';
import { splitList } from '../values/words.ts';
import type { ListRecord } from './list-record.ts';

export interface TableList {
  readonly columns: readonly string[];
  read(get: Get, options: ImportOptions): ListRecord[];
}

/** Parses tags: a JSON list such as `["a"]`, or words separated by commas. */
function readTags(text: string | undefined): string[] {
  if (!text?.startsWith('[')) return splitList(text);
  return splitList(text.replace(/^\[|\]$/g, '')).map((tag) => tag.replace(/^["']|["']$/g, ''));
}

export const pocketTable: TableList = {
  columns: ['title', 'url', 'time_added', 'tags', 'status'],
  read: (get) => [
    {
      stream: 'bookmarks',
      title: get('title'),
      url: get('url'),
      tags: splitList(get('tags'), '|'),
      state: get('status'),
      added_at: readEpoch(get('time_added')),
    },
  ],
};

export const instapaperTable: TableList = {
  columns: ['URL', 'Title', 'Selection', 'Folder', 'Timestamp'],
  read: (get) => [
    {
      stream: 'bookmarks',
      title: get('Title'),
      url: get('URL'),
      description: get('Selection'),
      folder: get('Folder'),
      tags: readTags(get('Tags')),
      is_favorite: get('Folder') === 'Starred' ? true : undefined,
      added_at: readEpoch(get('Timestamp')),
    },
  ],
};

export const raindropTable: TableList = {
  columns: ['title', 'excerpt', 'url', 'folder', 'tags', 'created'],
  read(get, options) {
    const page = { title: get('title'), url: get('url'), tags: splitList(get('tags')) };
    const bookmark: ListRecord = {
      stream: 'bookmarks',
      id: get('id'),
      ...page,
      folder: get('folder'),
      description: get('excerpt'),
      note: get('note'),
      is_favorite: get('favorite') === 'true' ? true : undefined,
      added_at: readTime(get('created') ?? '', options),
    };
    return [bookmark, ...readRaindropHighlights(get('highlights'), page)];
  },
};

/** Parses `Highlight:…` and optional `Note:…` blocks. */
function readRaindropHighlights(text: string | undefined, page: Partial<ListRecord>): ListRecord[] {
  const parts = (text ?? '').split(/^Highlight:/m).filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const [highlight = '', note] = part.split(/^Note:/m).map((one) => one.trim());
    return { ...page, stream: 'highlights', text: highlight, note, tags: undefined };
  });
}

export const readwiseTable: TableList = {
  columns: ['Highlight', 'Book Title', 'Book Author', 'Highlighted at'],
  read: (get, options) => [
    {
      stream: 'highlights',
      text: get('Highlight'),
      note: get('Note'),
      title: get('Book Title'),
      author: get('Book Author'),
      color: get('Color'),
      tags: splitList(get('Tags')),
      location: joinWords(get('Location Type'), get('Location')),
      highlighted_at: readTime(get('Highlighted at') ?? '', options),
    },
  ],
};

export const readerTable: TableList = {
  columns: ['Title', 'URL', 'Saved date', 'Reading progress', 'Location'],
  read: (get, options) => [
    {
      stream: 'bookmarks',
      id: get('ID'),
      title: get('Title'),
      url: get('URL'),
      tags: readTags(get('Document tags')),
      state: get('Location'),
      progress: cellNumber(get('Reading progress')),
      added_at: readTime(get('Saved date') ?? '', options),
    },
  ],
};

function joinWords(...words: readonly (string | undefined)[]): string | undefined {
  return words.filter((word) => word !== undefined).join(' ') || undefined;
}
