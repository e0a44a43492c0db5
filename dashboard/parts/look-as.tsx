import type { Eyes } from '../../src/views/data-views.ts';
import { withQuery } from './links.ts';

/** Search, and through whose eyes: one form, so that neither forgets the other. */
export function LookForm(props: {
  action: string;
  eyes: Eyes;
  query: string | undefined;
  placeholder: string;
}) {
  const { action, eyes, query, placeholder } = props;
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
