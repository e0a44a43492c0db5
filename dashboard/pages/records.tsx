import type { RecordsView } from '../../src/views/data-views.ts';
import type { Column } from '../../src/views/records.ts';
import type { Frame } from '../parts/frame.ts';
import { Hits } from '../parts/hits.tsx';
import { Chip, Empty, formatCount, Page } from '../parts/layout.tsx';
import { recordHref, streamHref, withQuery } from '../parts/links.ts';
import { LookForm, LookingAs } from '../parts/look-as.tsx';
import { CellValue, shorten } from '../parts/value.tsx';

/** The records of one stream, to leaf through, sort and search. */
export function RecordsPage({ view, frame }: { view: RecordsView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const here = (parameters: Record<string, string | null | undefined>) =>
    streamHref(view.connection_id, view.stream, parameters);
  const kept = { as, sort: view.sort, field: view.filter?.field, value: view.filter?.value };
  const query = view.hits?.query;
  return (
    <Page title={`${view.label} · ${view.connection}`} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a> / {view.connection}
      </p>
      <h1>
        {view.label} <Chip>{view.connection}</Chip>
      </h1>
      {view.detail !== null && <p class="lead">{view.detail}</p>}
      <LookForm action={here({})} eyes={view} query={query} placeholder={`Search ${view.label}`} />
      <LookingAs eyes={view} here={here({ ...kept, as: undefined, q: query })} />
      {view.filter !== null && (
        <p>
          Only records whose <code>{view.filter.field}</code> is <b>{shorten(view.filter.shown, 80)}</b>.{' '}
          <a href={here({ as })}>Show all</a>
        </p>
      )}
      <div class="stack-gap">
        {view.hits === null ? (
          <Table view={view} sortHref={(sort) => here({ ...kept, sort })} />
        ) : (
          <Hits hits={view.hits} zone={view.time_zone} as={as} where="this stream" />
        )}
        {view.next_cursor !== null && (
          <p>
            <a
              class="button"
              href={here(
                query === undefined
                  ? { ...kept, cursor: view.next_cursor }
                  : { as, q: query, cursor: view.next_cursor },
              )}
            >
              Next page
            </a>
          </p>
        )}
      </div>
    </Page>
  );
}

function Table({ view, sortHref }: { view: RecordsView; sortHref: (sort: string) => string }) {
  if (view.rows.length === 0) return <Empty title="No records" />;
  const as = view.viewing_as?.grant_id;
  return (
    <>
      {view.count !== null && <p class="muted">{formatCount(view.count, 'record')}</p>}
      <div class="card">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">{view.named_by}</th>
              {view.columns.map((column) => (
                <Heading column={column} sort={view.sort} sortHref={sortHref} />
              ))}
            </tr>
          </thead>
          <tbody>
            {view.rows.map((row) => (
              <tr>
                <th scope="row" class="long">
                  <a href={recordHref(row.id, as)}>{shorten(row.name.replace(/\s+/g, ' '), 60)}</a>
                </th>
                {view.columns.map((column, i) => (
                  <td class={classOf(column)} data-label={column.name}>
                    <CellValue value={row.values[i]} kind={column.kind} zone={view.time_zone} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Heading(props: { column: Column; sort: string | null; sortHref: (sort: string) => string }) {
  const { column, sort, sortHref } = props;
  const { name } = column;
  const state = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  return (
    <th scope="col" class={isNumber(column) ? 'number' : undefined} aria-sort={state}>
      {column.sortable ? (
        <a href={sortHref(state === 'descending' ? name : `-${name}`)}>
          {name}
          {state === 'ascending' ? ' ↑' : state === 'descending' ? ' ↓' : ''}
        </a>
      ) : (
        name
      )}
    </th>
  );
}

function classOf(column: Column): string {
  return isNumber(column) ? 'number' : column.kind === 'date-time' ? 'nowrap' : 'long';
}

function isNumber({ kind }: Column): boolean {
  return kind === 'integer' || kind === 'number';
}
