import type { RecordsView } from '../../src/views/data-views.ts';
import type { Column, RecordLine } from '../../src/views/records.ts';
import { ActiveFilters, FilterForm, filterParameters } from '../parts/filters.tsx';
import { Hits } from '../parts/hits.tsx';
import { Chip, Empty, type Frame, formatCount, Page, Pagination } from '../parts/layout.tsx';
import { recordHref, streamHref, withQuery } from '../parts/links.ts';
import { CellValue, shorten } from '../parts/value.tsx';
import { SearchForm, ViewingAs } from '../parts/view-as.tsx';

/** The records of one stream: pages, filters, sorting, search and download. */
export function RecordsPage({ view, frame }: { view: RecordsView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const here = (parameters: Record<string, string | null | undefined>) =>
    streamHref(view.connection_id, view.stream, parameters);
  const parameters = { as, sort: view.sort, ...filterParameters(view.filters) };
  const query = view.hits?.query;
  const pageHref = (cursor: string | null) =>
    cursor === null ? null : here(query === undefined ? { ...parameters, cursor } : { as, q: query, cursor });
  return (
    <Page title={`${view.label} · ${view.connection}`} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a> / {view.connection}
      </p>
      <h1>
        {view.label} <Chip>{view.connection}</Chip>
      </h1>
      {view.detail !== null && <p class="lead">{view.detail}</p>}
      <SearchForm action={here({})} viewAs={view} query={query} placeholder={`Search ${view.label}`} />
      <ViewingAs viewAs={view} here={here({ ...parameters, as: undefined, q: query })} />
      {query === undefined && <FilterForm view={view} action={here({})} />}
      <ActiveFilters view={view} here={here} />
      <div class="stack-gap">
        {view.hits === null ? (
          <Table view={view} sortHref={(sort) => here({ ...parameters, sort })} />
        ) : (
          <Hits hits={view.hits} zone={view.time_zone} as={as} where="this stream" />
        )}
        <Pagination
          previous={pageHref(view.previous_cursor)}
          next={pageHref(view.next_cursor)}
          label="Pages"
        />
      </div>
    </Page>
  );
}

function Table({ view, sortHref }: { view: RecordsView; sortHref: (sort: string) => string }) {
  if (view.rows.length === 0) return <Empty title="No records" />;
  const as = view.viewing_as?.grant_id;
  const trailing = findTrailing(view);
  return (
    <>
      <p class="spread">
        <span class="muted">{formatCount(view.count ?? 0, 'record')}</span>
        <a href={csvHref(view)} download>
          Download CSV
        </a>
      </p>
      <div class="card">
        <table class="stacked listed">
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
                  {row.who !== null && <div class="who">{shorten(row.who, 60)}</div>}
                  <a href={recordHref(row.id, as)}>{shorten(row.name, 100)}</a>
                  {row.said !== null && <div class="muted small said">{shorten(row.said, 120)}</div>}
                </th>
                {view.columns.map((column, i) => (
                  <td class={cellClasses(view.columns, i, row, trailing)} data-label={column.label}>
                    <CellValue
                      value={row.values[i]}
                      kind={column.kind}
                      zone={view.time_zone}
                      amount={row.amounts[i] ?? null}
                    />
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
  const { name, label } = column;
  const state = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  return (
    <th scope="col" class={isNumber(column) ? 'number' : undefined} aria-sort={state}>
      {column.sortable ? (
        <a href={sortHref(state === 'descending' ? name : `-${name}`)}>
          {label}
          {state === 'ascending' ? ' ↑' : state === 'descending' ? ' ↓' : ''}
        </a>
      ) : (
        label
      )}
    </th>
  );
}

function csvHref({ connection_id, stream, viewing_as, sort, filters }: RecordsView): string {
  const parameters = { as: viewing_as?.grant_id, sort, ...filterParameters(filters) };
  return withQuery(`${streamHref(connection_id, stream)}.csv`, parameters);
}

/** Returns the column shown at the end of a row on a phone: the amount, otherwise the time. */
function findTrailing({ columns, rows }: RecordsView): number {
  const amount = columns.findIndex((_, i) => rows.some(({ amounts }) => amounts[i] !== null));
  return amount === -1 ? columns.findIndex(isTime) : amount;
}

/** The number of other values that a row shows on a phone. */
const MAX_PHONE_VALUES = 2;

/** Returns the CSS classes of a cell: its alignment, and its position when a row becomes a list item on a phone. */
function cellClasses(columns: readonly Column[], at: number, row: RecordLine, trailing: number): string {
  const column = columns[at] as Column;
  const alignment = classOf(column);
  if (at === trailing) return `${alignment} trailing-value`;
  const before = row.values.slice(0, at).filter((value, i) => i !== trailing && value !== null).length;
  if (row.values[at] === null || before >= MAX_PHONE_VALUES) return `${alignment} beside`;
  // A time needs no label, unless the row ends with another time.
  const other = columns[trailing];
  const isPlain = isTime(column) ? other === undefined || !isTime(other) : row.amounts[at] !== null;
  return isPlain ? alignment : `${alignment} labelled`;
}

function isTime({ kind }: Column): boolean {
  return kind === 'date-time' || kind === 'date';
}

function classOf(column: Column): string {
  return isNumber(column) ? 'number' : isTime(column) ? 'nowrap' : 'long';
}

function isNumber({ kind }: Column): boolean {
  return kind === 'integer' || kind === 'number';
}
