import type { Eyes } from '../../src/views/data-views.ts';
import { withQuery } from './links.ts';

/** Search, and through whose eyes: one form, so that neither forgets the other. */
export function LookForm(props: {
  action: string;
  eyes: Eyes;
  query: string | undefined;
  placeholder: string;
  /** Other words for the same thing; absent where the form does not ask for them. */
  also?: string;
}) {
  const { action, eyes, query, placeholder, also } = props;
  return (
    <search>
      <form class="look" method="get" action={action}>
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
            placeholder="Other words, separated by commas"
            aria-label="Other words for the same thing, separated by commas"
          />
        )}
        <select name="as" aria-label="Look as">
          <option value="">As yourself</option>
          {eyes.apps.map(({ grant_id, client }) => (
            <option value={grant_id} selected={grant_id === eyes.viewing_as?.grant_id}>
              As {client}
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

export function LookingAs({ eyes, here }: { eyes: Eyes; here: string }) {
  if (eyes.viewing_as === null) return null;
  return (
    <p class="notice" role="status">
      You see what <b>{eyes.viewing_as.client}</b> can see, read the same way.{' '}
      <a href={withQuery(here, {})}>Look as yourself</a>
    </p>
  );
}
