import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import {
  date,
  declareSource,
  describeObject,
  flag,
  integer,
  list,
  number,
  selection,
  text,
} from '../declare.ts';

const film = {
  id: text(),
  title: text('Name of the film'),
  year: integer('Year the film came out'),
  url: text(),
};
const rating = number('Stars, half ones too, 0.5 to 5');

/** Streams that are films with a day and little more. */
function declareFilms(
  name: string,
  label: string,
  detail: string,
  more: Record<string, Record<string, unknown>>,
) {
  const declared: StreamDeclaration = {
    name,
    description: detail,
    display: { label, detail },
    semantics: 'mutable_state',
    schema: describeObject(['id'], { ...film, added_on: date('Day it was put there'), ...more }),
    primary_key: ['id'],
    cursor_field: 'added_on',
    consent_time_field: 'added_on',
    selection,
    query: { search: { lexical_fields: ['title'] } },
  };
  return declared;
}

export const letterboxdDeclaration = declareSource('letterboxd', 'Letterboxd', [
  {
    name: 'diary',
    description: 'Films watched, each time with its day, rating, tags and review.',
    display: { label: 'Diary', detail: 'Which films you watched, when, your ratings and reviews.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      ...film,
      watched_on: date(),
      added_on: date('Day it was written down'),
      rating,
      is_rewatch: flag(),
      tags: list(),
    }),
    primary_key: ['id'],
    cursor_field: 'watched_on',
    consent_time_field: 'watched_on',
    selection,
    views: [{ id: 'basic', label: 'Film and day', fields: ['id', 'title', 'watched_on'] }],
    query: { search: { lexical_fields: ['title', 'tags'] } },
  },
  {
    name: 'reviews',
    description: 'Reviews of films in the words of the owner.',
    display: { label: 'Reviews', detail: 'What you wrote about films.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      ...film,
      review: { ...text(), description: 'What was written' },
      rating,
      is_rewatch: flag(),
      tags: list(),
      watched_on: date(),
      added_on: date('Day it was written down'),
    }),
    primary_key: ['id'],
    cursor_field: 'added_on',
    consent_time_field: 'added_on',
    selection,
    query: { search: { lexical_fields: ['title', 'review', 'tags'] } },
  },
  declareFilms('ratings', 'Ratings', 'How you rated films.', { rating }),
  declareFilms('watched', 'Watched films', 'Films you have seen.', {}),
  declareFilms('watchlist', 'Watchlist', 'Films you want to see.', {}),
  declareFilms('likes', 'Liked films', 'Films you like.', {}),
  declareFilms('list_films', 'Lists', 'Films on lists you made.', {
    list: text('Name of the list'),
    position: integer(),
    note: text('What was written beside it'),
  }),
]);
