import type { ViewAs } from '../../src/views/data-views.ts';
import { withQuery } from './links.ts';

/** Search form with the choice of the app to view as. */
export function SearchForm(props: {
  action: string;
  viewAs: ViewAs;
  query: string | undefined;
  placeholder: string;
  /** Synonyms. Undefined if the form has no field for them. */
  also?: string;
}) {
  const { action, viewAs, query, placeholder, also } = props;
  return (
    <search>
      <form class="search-form" method="get" action={action}>
        <input
          type="search"
          name="q"
          value={query ?? ''}
          placeholder={placeholder}
          aria-label={placeholder}
        />
        {also !== undefined && (
          <input
            type="text"
            name="also"
            value={also}
            placeholder="Synonyms, separated by commas"
            aria-label="Synonyms, separated by commas"
          />
        )}
        <select name="as" aria-label="View as">
          <option value="">View as yourself</option>
          {viewAs.apps.map(({ grant_id, client }) => (
            <option value={grant_id} selected={grant_id === viewAs.viewing_as?.grant_id}>
              View as {client}
            </option>
          ))}
        </select>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </search>
  );
}

export function ViewingAs({ viewAs, here }: { viewAs: ViewAs; here: string }) {
  if (viewAs.viewing_as === null) return null;
  return (
    <p class="notice" role="status">
      You are viewing the data that <b>{viewAs.viewing_as.client}</b> can read.{' '}
      <a href={withQuery(here, {})}>View as yourself</a>
    </p>
  );
}
