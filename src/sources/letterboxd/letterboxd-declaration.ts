import { declareSource, declareStream, type Fields } from '../declare.ts';

const film: Fields = {
  id: 'text',
  title: 'text, search: Name of the film',
  year: 'integer: Year the film came out',
  url: 'text',
};
const rating = 'number: Stars, half ones too, 0.5 to 5';

const declareFilms = (name: string, label: string, description: string, more: Fields = {}) =>
  declareStream(name, label, {
    description,
    time: 'added_on',
    fields: { ...film, added_on: 'date: Day it was put there', ...more },
  });

export const letterboxdDeclaration = declareSource('letterboxd', 'Letterboxd', [
  declareStream('diary', 'Diary', {
    description: 'Films watched, each time with its day, rating, tags and review.',
    detail: 'Which films you watched, when, your ratings and reviews.',
    time: 'watched_on',
    view: { label: 'Film and day', fields: ['id', 'title', 'watched_on'] },
    fields: {
      ...film,
      watched_on: 'date',
      added_on: 'date: Day it was written down',
      rating,
      is_rewatch: 'flag',
      tags: 'list, search',
    },
  }),
  declareStream('reviews', 'Reviews', {
    description: 'Reviews of films in the words of the owner.',
    detail: 'What you wrote about films.',
    time: 'added_on',
    fields: {
      ...film,
      review: 'text, search: What was written',
      rating,
      is_rewatch: 'flag',
      tags: 'list, search',
      watched_on: 'date',
      added_on: 'date: Day it was written down',
    },
  }),
  declareFilms('ratings', 'Ratings', 'How you rated films.', { rating }),
  declareFilms('watched', 'Watched films', 'Films you have seen.'),
  declareFilms('watchlist', 'Watchlist', 'Films you want to see.'),
  declareFilms('likes', 'Liked films', 'Films you like.'),
  declareFilms('list_films', 'Lists', 'Films on lists you made.', {
    list: 'text: Name of the list',
    position: 'integer',
    note: 'text: What was written beside it',
  }),
]);
