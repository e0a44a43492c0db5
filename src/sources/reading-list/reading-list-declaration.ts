import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, describeObject, flag, list, number, selection, text, time } from '../declare.ts';

/** What a service for saved pages offers: the pages, and what the owner marked in them. */
export function declareReadingList(connectorKey: string, name: string): SourceDeclaration {
  return declareSource(connectorKey, name, [
    {
      name: 'bookmarks',
      description: 'Pages saved to read, with tags and whether they were read.',
      display: { label: 'Saved pages', detail: 'The pages you saved, with folders, tags and notes.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        title: text(),
        url: text(),
        host: text('The site, such as example.org'),
        author: text(),
        folder: text(),
        tags: list(),
        state: text('unread, archived, later, …, as the service calls it'),
        is_favorite: flag(),
        description: text('Excerpt or description of the page'),
        note: text('What the owner wrote about it'),
        progress: number('How much of it was read, 0 to 1'),
        added_at: time(),
        updated_at: time(),
        published_at: time(),
      }),
      primary_key: ['id'],
      cursor_field: 'added_at',
      consent_time_field: 'added_at',
      selection,
      views: [{ id: 'basic', label: 'Title and address', fields: ['id', 'title', 'url', 'folder'] }],
      query: { search: { lexical_fields: ['title', 'url', 'description', 'note', 'tags', 'author'] } },
    },
    describeHighlights(),
  ]);
}

/** Passages marked in books and pages. What one source has besides is `more`. */
export function describeHighlights(more: Parameters<typeof describeObject>[1] = {}): StreamDeclaration {
  return {
    name: 'highlights',
    description: 'Passages marked in books and pages, with notes.',
    display: { label: 'Highlights', detail: 'Passages you marked and your notes on them.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      text: text(),
      note: text(),
      title: text('Of the book or page'),
      author: text(),
      url: text(),
      color: text(),
      tags: list(),
      location: text('Where in the book: page, position'),
      highlighted_at: time(),
      ...more,
    }),
    primary_key: ['id'],
    cursor_field: 'highlighted_at',
    consent_time_field: 'highlighted_at',
    selection,
    views: [{ id: 'basic', label: 'Text and source', fields: ['id', 'text', 'title', 'author'] }],
    query: { search: { lexical_fields: ['text', 'note', 'title', 'author', 'tags'] } },
  };
}
