import { declareSource, describeObject, integer, oneOf, selection, text, time } from '../declare.ts';

/** A film, or an episode of a series. */
const work = {
  title: text('Of the film or the episode'),
  kind: oneOf(['movie', 'episode', 'season', 'show']),
  year: integer('When it came out'),
  series: text(),
  season: integer(),
  episode: integer('Number within the season'),
  imdb_id: text(),
  trakt_id: text(),
};
const searched = { search: { lexical_fields: ['title', 'series'] } };

export const traktDeclaration = declareSource('trakt', 'Trakt', [
  {
    name: 'viewing',
    description: 'Films and episodes that were watched, one record for each time.',
    display: { label: 'Watched', detail: 'Which films and episodes you watched and when.' },
    semantics: 'append_only',
    schema: describeObject(['id'], { id: text(), ...work, action: text(), watched_at: time() }),
    primary_key: ['id'],
    cursor_field: 'watched_at',
    consent_time_field: 'watched_at',
    selection,
    views: [{ id: 'basic', label: 'Title and time', fields: ['id', 'title', 'series', 'watched_at'] }],
    query: searched,
  },
  {
    name: 'ratings',
    description: 'Ratings of films, series and episodes, 1 to 10.',
    display: { label: 'Ratings', detail: 'How you rated films and series.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], { id: text(), ...work, rating: integer('1 to 10'), rated_at: time() }),
    primary_key: ['id'],
    cursor_field: 'rated_at',
    consent_time_field: 'rated_at',
    selection,
    views: [{ id: 'basic', label: 'Title and rating', fields: ['id', 'title', 'series', 'rating'] }],
    query: searched,
  },
  {
    name: 'listed',
    description: 'Films and series on the watchlist and on lists of the owner.',
    display: { label: 'Lists', detail: 'What you want to watch, and lists you made.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      ...work,
      list: text('Name of the list'),
      note: text(),
      listed_at: time(),
    }),
    primary_key: ['id'],
    cursor_field: 'listed_at',
    consent_time_field: 'listed_at',
    selection,
    views: [{ id: 'basic', label: 'Title and list', fields: ['id', 'title', 'series', 'list'] }],
    query: { search: { lexical_fields: ['title', 'series', 'note'] } },
  },
]);
