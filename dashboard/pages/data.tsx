import type { ConnectionData, StreamData } from '../../src/views/data.ts';
import type { DataOverview, SearchView } from '../../src/views/data-views.ts';
import type { Period } from '../../src/views/reading/periods.ts';
import type { SearchOrder } from '../../src/views/search-hits.ts';
import type { DataPageView } from '../data-routes.tsx';
import { AccountLine } from '../parts/account-status.tsx';
import { formatBucket } from '../parts/bucket-name.ts';
import { SourceChip } from '../parts/chips.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import { Hits } from '../parts/hits.tsx';
import { ImportHistory, PendingJobs, RemoveDemo } from '../parts/import-history.tsx';
import { type Frame, formatCount, formatTime, Page } from '../parts/layout.tsx';
import { connectionHref, NEW_ACCOUNT, periodHref, streamHref, withQuery } from '../parts/links.ts';
import { BarsOverTime, Spark } from '../parts/plot.tsx';
import { TryDemo } from '../parts/try-demo.tsx';
import { SearchForm, ViewingAs } from '../parts/view-as.tsx';

const PATH = '/dashboard/data';
/** More connections than this are collapsed. */
const MAX_OPEN_ITEMS = 4;
const PLACEHOLDER = 'Search your data';

const sentences: Readonly<Record<string, string>> = {
  discarded: 'Upload discarded. Nothing was added.',
  'account-removed': 'Account removed. It no longer syncs.',
};

interface DataPageProps {
  readonly view: DataPageView;
  readonly frame: Frame;
  readonly done: string | undefined;
}

/** Stored data by connection, as the owner or an app sees it. */
export function DataPage({ view, frame, done = '' }: DataPageProps) {
  const { connections, periods, imports } = view;
  const records = connections.reduce((sum, one) => sum + one.records, 0);
  const streams = connections.reduce((sum, one) => sum + one.streams.length, 0);
  return (
    <Page title="Data" here="data" zone={view.time_zone} {...frame}>
      <h1>Data</h1>
      {Object.hasOwn(sentences, done) && <p class="notice">{sentences[done]}</p>}
      {connections.length === 0 && imports !== null ? (
        <>
          <DropArea csrf={frame.csrf} hasAccounts={frame.hasAccounts} />
          <Accounts view={view} />
          <PendingJobs imports={imports} />
          <TryDemo demo={frame.demo} />
        </>
      ) : (
        <>
          <SearchForm action={PATH} viewAs={view} query={undefined} placeholder={PLACEHOLDER} />
          <ViewingAs viewAs={view} here={PATH} />
          {imports !== null && <DropArea csrf={frame.csrf} hasAccounts={frame.hasAccounts} />}
          <Accounts view={view} />
          {imports !== null && <PendingJobs imports={imports} />}
          <p class="lead">
            {formatCount(records, 'record')} in {formatCount(streams, 'stream')} of{' '}
            {formatCount(connections.length, 'connection')}.
          </p>
          {periods.length > 1 && <DataChart view={view} note={describeRest(records, connections)} />}
          {connections.map((connection) => (
            <Connection connection={connection} view={view} open={connections.length <= MAX_OPEN_ITEMS} />
          ))}
          {imports !== null && <ImportHistory history={imports.history} zone={view.time_zone} />}
          {imports !== null && <RemoveDemo connections={imports.demo_connections} csrf={frame.csrf} />}
        </>
      )}
    </Page>
  );
}

/** The accounts that sync. */
function Accounts({ view: { accounts, time_zone } }: { view: DataPageView }) {
  return accounts === null || accounts.length === 0 ? null : (
    <section class="card" id="accounts">
      <div class="spread">
        <h2>Accounts</h2>
        <a href={NEW_ACCOUNT}>Add an account</a>
      </div>
      <ul class="lines">
        {accounts.map((account) => (
          <AccountLine account={account} zone={time_zone} />
        ))}
      </ul>
    </section>
  );
}

/** Chart of records over time by connection. Bars link to their records. */
export function DataChart({ view, note }: { view: DataOverview; note: string | undefined }) {
  const { interval, periods } = view;
  const labels = new Map(periods.map((period) => [namePeriod(period, 'long'), period.name]));
  return (
    <BarsOverTime
      title={`Records per ${interval}`}
      unit="record"
      note={note}
      per={interval === 'month' ? 'Month' : 'Year'}
      labels={[...labels.keys()]}
      shortLabels={periods.map((period) => namePeriod(period, 'short'))}
      series={view.connections.map((connection) => ({
        name: connection.name,
        values: periods.map((_, i) => sumPeriod(connection.streams, i)),
      }))}
      hrefOf={(label) => periodHref(labels.get(label) ?? label, view.viewing_as?.grant_id)}
    />
  );
}

/** Names a period. The first and last unbounded periods are named by their limit. */
export function namePeriod({ name, from, to }: Period, length: 'short' | 'long'): string {
  if (name === 'earlier') return length === 'short' ? 'Earlier' : `Before ${nameBorder(to)}`;
  if (name === 'later') return length === 'short' ? 'Later' : `${nameBorder(from)} and later`;
  return formatBucket(name, length);
}

function nameBorder(month: string | null): string {
  return formatBucket(month ?? '', 'long');
}

/** Explains records that are not in the chart. */
function describeRest(records: number, connections: readonly ConnectionData[]): string | undefined {
  const rest = records - sumPeriods(connections.flatMap(({ streams }) => streams));
  return rest === 0 ? undefined : `${formatCount(rest)} more have no date`;
}

function sumPeriod(streams: readonly StreamData[], at: number): number {
  return streams.reduce((sum, stream) => sum + (stream.per_period[at] ?? 0), 0);
}

export function sumPeriods(streams: readonly StreamData[]): number {
  return streams.flatMap(({ per_period }) => per_period).reduce((sum, n) => sum + n, 0);
}

function Connection(props: { connection: ConnectionData; view: DataOverview; open: boolean }) {
  const { connection, view, open } = props;
  const values = view.periods.map((_, i) => sumPeriod(connection.streams, i));
  return (
    <details class="card" id={connection.connection_id} open={open}>
      <summary>
        <h2>{connection.name}</h2>
        <SourceChip of={connection} />
        <span class="end">
          <span class="muted">
            {connection.records === 0
              ? 'No records'
              : `${formatCount(connection.streams.length, 'stream')}, ${formatCount(connection.records, 'record')}`}
          </span>
          <Spark title={`${connection.name} per ${view.interval}`} values={values} />
        </span>
      </summary>
      {connection.streams.length > 0 && <StreamTable connection={connection} view={view} />}
      <EmptyStreams connection={connection} as={view.viewing_as?.grant_id} />
      {view.viewing_as === null && (
        <p class="small">
          <a href={connectionHref(connection.connection_id)}>Rename or remove</a>
        </p>
      )}
    </details>
  );
}

/** Declared streams without records, collapsed. */
function EmptyStreams({ connection, as }: { connection: ConnectionData; as: string | undefined }) {
  const { connection_id, empty } = connection;
  return empty.length === 0 ? null : (
    <details class="more">
      <summary>{formatCount(empty.length, 'stream')} without records</summary>
      <p class="row small">
        {empty.map(({ stream, label }) => (
          <a href={streamHref(connection_id, stream, { as })}>{label}</a>
        ))}
      </p>
    </details>
  );
}

function StreamTable({ connection, view }: { connection: ConnectionData; view: DataOverview }) {
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Stream</th>
          <th scope="col" class="number">
            Records
          </th>
          <th scope="col">Period</th>
          {view.viewing_as === null && <th scope="col">Last change</th>}
          <th scope="col">Per {view.interval}</th>
        </tr>
      </thead>
      <tbody>
        {connection.streams.map((stream) => (
          <StreamRow connection={connection} stream={stream} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function StreamRow(props: { connection: ConnectionData; stream: StreamData; view: DataOverview }) {
  const { connection, stream, view } = props;
  const changed = view.last_changes[`${connection.connection_id}/${stream.stream}`];
  const as = view.viewing_as?.grant_id;
  return (
    <tr>
      <th scope="row">
        <a href={streamHref(connection.connection_id, stream.stream, { as })}>{stream.label}</a>
        {stream.detail !== null && <div class="muted small">{stream.detail}</div>}
      </th>
      <td class="number" data-label="Records">
        {formatCount(stream.records)}
      </td>
      <td class="nowrap" data-label="Period">
        {stream.first === null || stream.last === null ? (
          <span class="muted">no date</span>
        ) : (
          `${formatBucket(stream.first, 'long')} – ${formatBucket(stream.last, 'long')}`
        )}
      </td>
      {view.viewing_as === null && (
        <td class="nowrap" data-label="Last change">
          {changed === undefined ? <span class="muted">–</span> : formatTime(changed, view.time_zone, 'day')}
        </td>
      )}
      <td data-label={`Per ${view.interval}`}>
        {stream.per_period.some((n) => n > 0) ? (
          <Spark title={`${stream.label} per ${view.interval}`} values={stream.per_period} />
        ) : (
          <span class="muted">–</span>
        )}
      </td>
    </tr>
  );
}

const orders: readonly (readonly [SearchOrder, string])[] = [
  ['best', 'Best match'],
  ['newest', 'Newest'],
  ['oldest', 'Oldest'],
];

/** Links to change the order of the hits. */
function Orders({ view }: { view: SearchView }) {
  const as = view.viewing_as?.grant_id;
  const also = view.also.join(', ');
  const hrefOf = (order: SearchOrder) =>
    withQuery(PATH, { q: view.query, also, as, sort: order === 'best' ? undefined : order });
  return (
    <nav class="row small" aria-label="Sort order">
      <span class="muted">Sort by</span>
      {orders.map(([order, name]) => (
        <a href={hrefOf(order)} aria-current={order === view.order ? 'true' : undefined}>
          {name}
        </a>
      ))}
      {view.order !== 'best' && view.has_more && (
        <span class="muted">among the {view.results.length} best matches</span>
      )}
    </nav>
  );
}

/** Search results, from the same engine as the search tool. */
export function SearchPage({ view, frame }: { view: SearchView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const also = view.also.join(', ');
  return (
    <Page title={`Search: ${view.query}`} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery(PATH, { as })}>Data</a>
      </p>
      <h1>Search</h1>
      <SearchForm action={PATH} viewAs={view} query={view.query} also={also} placeholder={PLACEHOLDER} />
      <ViewingAs viewAs={view} here={withQuery(PATH, { q: view.query, also })} />
      {view.results.length > 1 && <Orders view={view} />}
      <Hits hits={view} zone={view.time_zone} as={as} where="any connection" />
      {view.next_cursor !== null && (
        <p>
          <a class="button" href={withQuery(PATH, { q: view.query, also, as, cursor: view.next_cursor })}>
            Next results
          </a>
        </p>
      )}
    </Page>
  );
}
