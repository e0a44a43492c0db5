import type { FindView } from '../find-routes.tsx';
import { Empty, type Frame, Page } from '../parts/layout.tsx';
import { withQuery } from '../parts/links.ts';

/** Results of quick find. */
export function FindPage({ view, frame }: { view: FindView; frame: Frame }) {
  const { query, results } = view;
  const records = withQuery('/dashboard/data', { q: query });
  return (
    <Page title="Find" here="find" query={query} {...frame}>
      <h1>Find</h1>
      {query.trim() === '' ? (
        <p class="lead">Enter the name of a page, connection, app or format above.</p>
      ) : (
        <>
          {results.length === 0 && <Empty title="No matching page, connection, app or format" />}
          <ul id="found" class="found card">
            {results.map(({ kind, name, detail, href }) => (
              <li>
                <a href={href}>
                  <span class="strong">{name}</span> <span class="muted">{detail}</span>
                  <span class="chip">{kind}</span>
                </a>
              </li>
            ))}
            <li>
              <a href={records}>
                Search your records for <span class="strong">{query}</span>
              </a>
            </li>
          </ul>
        </>
      )}
    </Page>
  );
}
