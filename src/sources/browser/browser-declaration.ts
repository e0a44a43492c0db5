import { declareSource, declareStream } from '../declare.ts';

export const browserDeclaration = declareSource('browser', 'Web browser', [
  declareStream('visits', 'Browser history', {
    description: 'Web pages visited, one record for each time.',
    detail: 'The pages you visited and when.',
    semantics: 'append_only',
    time: 'visited_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'url', 'visited_at'] },
    fields: {
      id: 'text',
      title: 'text, search',
      url: 'text, search',
      host: 'text: The site, such as example.org',
      browser: 'text: Chrome, Firefox, Safari, …',
      how: 'text: How the page was come to: link, typed, reload, bookmark, …',
      seconds: 'integer: How long the page was open, where the browser says',
      visited_at: 'time',
    },
  }),
  declareStream('bookmarks', 'Bookmarks', {
    description: 'Bookmarks of browsers and bookmark services.',
    detail: 'The pages you bookmarked, with folders and tags.',
    time: 'added_at',
    view: { label: 'Title and address', fields: ['id', 'title', 'url', 'folder'] },
    search: ['title', 'url', 'description', 'folder', 'tags'],
    fields: {
      id: 'text',
      title: 'text',
      url: 'text',
      host: 'text: The site, such as example.org',
      folder: 'text: The folders it lies in: Dev / PHP',
      tags: 'list',
      description: 'text',
      added_at: 'time',
      updated_at: 'time',
    },
  }),
]);
