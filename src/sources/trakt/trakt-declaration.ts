import { declareSource, declareStream, type Fields, oneOf } from '../declare.ts';

/** A film, or an episode of a series. */
const work: Fields = {
  title: 'text: Of the film or the episode',
  kind: oneOf(['movie', 'episode', 'season', 'show']),
  year: 'integer: When it came out',
  series: 'text',
  season: 'integer',
  episode: 'integer: Number within the season',
  imdb_id: 'text',
  trakt_id: 'text',
};

export const traktDeclaration = declareSource('trakt', 'Trakt', [
  declareStream('viewing', 'Watched', {
    description: 'Films and episodes that were watched, one record for each time.',
    detail: 'Which films and episodes you watched and when.',
    semantics: 'append_only',
    time: 'watched_at',
    view: { label: 'Title and time', fields: ['id', 'title', 'series', 'watched_at'] },
    search: ['title', 'series'],
    fields: { id: 'text', ...work, action: 'text', watched_at: 'time' },
  }),
  declareStream('ratings', 'Ratings', {
    description: 'Ratings of films, series and episodes, 1 to 10.',
    detail: 'How you rated films and series.',
    time: 'rated_at',
    view: { label: 'Title and rating', fields: ['id', 'title', 'series', 'rating'] },
    search: ['title', 'series'],
    fields: { id: 'text', ...work, rating: 'integer: 1 to 10', rated_at: 'time' },
  }),
  declareStream('listed', 'Lists', {
    description: 'Films and series on the watchlist and on lists of the owner.',
    detail: 'What you want to watch, and lists you made.',
    time: 'listed_at',
    view: { label: 'Title and list', fields: ['id', 'title', 'series', 'list'] },
    search: ['title', 'series', 'note'],
    fields: {
      id: 'text',
      ...work,
      list: 'text: Name of the list',
      note: 'text',
      listed_at: 'time',
    },
  }),
]);
