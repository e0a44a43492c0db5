import type { ImportOptions } from '../../import/importer.ts';
import { readEpoch, readTime } from '../../import/read/read-time.ts';
import { type Cells, cellNumber, type createCellFinder } from '../values/table-cells.ts';
import type { ListRecord } from './list-record.ts';

type Find = ReturnType<typeof createCellFinder>;

/** A CSV file of one service: the columns that only it has, and what a row says. */
export interface TableList {
  readonly columns: readonly string[];
  read(cells: Cells, find: Find, options: ImportOptions): ListRecord[];
}

const splitTags = (text: string | undefined, mark: string | RegExp) =>
  (text ?? '')
    .split(mark)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Labels in JSON, `["a"]`, or a plain list. */
function readTags(text: string | undefined): string[] {
  if (!text?.startsWith('[')) return splitTags(text, ',');
  return splitTags(text.replace(/^\[|\]$/g, ''), ',').map((tag) => tag.replace(/^["']|["']$/g, ''));
}

export const pocketTable: TableList = {
  columns: ['title', 'url', 'time_added', 'tags', 'status'],
  read: (cells, find) => [
    {
      stream: 'bookmarks',
      title: find(cells, 'title'),
      url: find(cells, 'url'),
      tags: splitTags(find(cells, 'tags'), '|'),
      state: find(cells, 'status'),
      added_at: readEpoch(find(cells, 'time_added')),
    },
  ],
};

export const instapaperTable: TableList = {
  columns: ['URL', 'Title', 'Selection', 'Folder', 'Timestamp'],
  read: (cells, find) => [
    {
      stream: 'bookmarks',
      title: find(cells, 'Title'),
      url: find(cells, 'URL'),
      description: find(cells, 'Selection'),
      folder: find(cells, 'Folder'),
      tags: readTags(find(cells, 'Tags')),
      is_favorite: find(cells, 'Folder') === 'Starred' ? true : undefined,
      added_at: readEpoch(find(cells, 'Timestamp')),
    },
  ],
};

export const raindropTable: TableList = {
  columns: ['title', 'excerpt', 'url', 'folder', 'tags', 'created'],
  read(cells, find, options) {
    const page = {
      title: find(cells, 'title'),
      url: find(cells, 'url'),
      tags: splitTags(find(cells, 'tags'), ','),
    };
    const bookmark: ListRecord = {
      stream: 'bookmarks',
      id: find(cells, 'id'),
      ...page,
      folder: find(cells, 'folder'),
      description: find(cells, 'excerpt'),
      note: find(cells, 'note'),
      is_favorite: find(cells, 'favorite') === 'true' ? true : undefined,
      added_at: readTime(find(cells, 'created') ?? '', options),
    };
    return [bookmark, ...readRaindropHighlights(find(cells, 'highlights'), page)];
  },
};

/** `Highlight:…` and, where there is one, `Note:…`, an empty line between two. */
function readRaindropHighlights(text: string | undefined, page: Partial<ListRecord>): ListRecord[] {
  const parts = (text ?? '').split(/^Highlight:/m).filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const [marked = '', note] = part.split(/^Note:/m).map((one) => one.trim());
    return { ...page, stream: 'highlights', text: marked, note, tags: undefined };
  });
}

export const readwiseTable: TableList = {
  columns: ['Highlight', 'Book Title', 'Book Author', 'Highlighted at'],
  read: (cells, find, options) => [
    {
      stream: 'highlights',
      text: find(cells, 'Highlight'),
      note: find(cells, 'Note'),
      title: find(cells, 'Book Title'),
      author: find(cells, 'Book Author'),
      color: find(cells, 'Color'),
      tags: splitTags(find(cells, 'Tags'), ','),
      location: joinWords(find(cells, 'Location Type'), find(cells, 'Location')),
      highlighted_at: readTime(find(cells, 'Highlighted at') ?? '', options),
    },
  ],
};

export const readerTable: TableList = {
  columns: ['Title', 'URL', 'Saved date', 'Reading progress', 'Location'],
  read: (cells, find, options) => [
    {
      stream: 'bookmarks',
      id: find(cells, 'ID'),
      title: find(cells, 'Title'),
      url: find(cells, 'URL'),
      tags: readTags(find(cells, 'Document tags')),
      state: find(cells, 'Location'),
      progress: cellNumber(find(cells, 'Reading progress')),
      added_at: readTime(find(cells, 'Saved date') ?? '', options),
    },
  ],
};

function joinWords(...words: readonly (string | undefined)[]): string | undefined {
  return words.filter((word) => word !== undefined).join(' ') || undefined;
}
