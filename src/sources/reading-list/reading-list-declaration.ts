import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, type Fields } from '../declare.ts';

export function declareReadingList(connectorKey: string, name: string): SourceDeclaration {
  return declareSource(connectorKey, name, [
    declareStream('bookmarks', 'Saved pages', {
      description: 'Pages saved to read, with tags and whether they were read.',
      detail: 'The pages you saved, with folders, tags and notes.',
      time: 'added_at',
      view: { label: 'Title and address', fields: ['id', 'title', 'url', 'folder'] },
      search: ['title', 'url', 'description', 'note', 'tags', 'author'],
      fields: {
        id: 'text',
        title: 'text',
        url: 'text',
        host: 'text: The site, such as example.org',
        author: 'text',
        folder: 'text',
        tags: 'list',
        state: 'text: unread, archived, later, …, as the service calls it',
        is_favorite: 'flag',
        description: 'text: Excerpt or description of the page',
        note: 'text: What the owner wrote about it',
        progress: 'number: Share that was read, 0 to 1',
        added_at: 'time',
        updated_at: 'time',
        published_at: 'time',
      },
    }),
    describeHighlights(),
  ]);
}

/** Declares highlights in books and pages. `more` has further fields. */
export function describeHighlights(more: Fields = {}): StreamDeclaration {
  return declareStream('highlights', 'Highlights', {
    description: 'Passages marked in books and pages, with notes.',
    detail: 'Passages you marked and your notes on them.',
    time: 'highlighted_at',
    view: { label: 'Text and source', fields: ['id', 'text', 'title', 'author'] },
    fields: {
      id: 'text',
      text: 'text, search',
      note: 'text, search',
      title: 'text, search: Of the book or page',
      author: 'text, search',
      url: 'text',
      color: 'text',
      tags: 'list, search',
      location: 'text: Where in the book: page, position',
      highlighted_at: 'time',
      ...more,
    },
  });
}
