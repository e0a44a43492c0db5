import { declareSource, declareStream } from '../declare.ts';

export const feedsDeclaration = declareSource('feeds', 'Feeds', [
  declareStream('entries', 'Feed entries', {
    description: 'Entries of news feeds, blogs and podcasts that the owner follows.',
    detail: 'Entries of the feeds you follow: title, author and text.',
    time: 'published_at',
    view: { label: 'Titles and addresses', fields: ['id', 'title', 'url', 'published_at', 'feed'] },
    search: ['title', 'author', 'text', 'categories', 'feed'],
    fields: {
      id: 'text',
      title: 'text',
      url: 'text: The page of the entry',
      author: 'text',
      published_at: 'time',
      updated_at: 'time',
      text: 'text: The content, or its summary if the feed has no more',
      categories: 'list',
      media_url: 'text: A sound or video that belongs to it',
      feed: 'text: Title of the feed',
    },
  }),
]);
