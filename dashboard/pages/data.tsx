import type { ConnectionData, StreamData } from '../../src/views/data.ts';
import type { DataOverview, SearchView } from '../../src/views/data-views.ts';
import type { DataPageView } from '../data-routes.tsx';
import { formatBucket } from '../parts/bucket-name.ts';
import { SourceChip } from '../parts/chips.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import type { Frame } from '../parts/frame.ts';
import { Hits } from '../parts/hits.tsx';
import { ImportHistory, RemoveDemo, UnderWay } from '../parts/import-history.tsx';
import { formatCount, formatTime, Page } from '../parts/layout.tsx';
import { connectionHref, monthHref, streamHref, withQuery } from '../parts/links.ts';
import { LookForm, LookingAs } from '../parts/look-as.tsx';
import { BarsOverTime, Spark } from '../parts/plot.tsx';
import { TryDemo } from '../parts/try-demo.tsx';

const PATH = '/dashboard/data';
/** More connections than this are folded, so that all of them can be seen at once. */
const MOST_OPEN = 4;
const PLACEHOLDER = 'Search all of your data';

const sentences: Readonly<Record<string, string>> = {
  discarded: 'The upload is thrown away. Nothing of it was added.',
};

interface DataPageProps {
  readonly view: DataPageView;
  readonly frame: Frame;
  readonly done: string | undefined;
}

/** Everything that is stored, connection by connection; or what an app sees of it. */
export function DataPage({ view, frame, done = '' }: DataPageProps) {
  const { connections, months, imports } = view;
  const records = connections.reduce((sum, one) => sum + one.records, 0);
  const streams = connections.reduce((sum, one) => sum + one.streams.length, 0);
  return (
    <Page title="Data" here="data" zone={view.time_zone} {...frame}>
      <h1>Data</h1>
      {Object.hasOwn(sentences, done) && <p class="notice">{sentences[done]}</p>}
      {connections.length === 0 && imports !== null ? (
        <>
          <DropArea csrf={frame.csrf} />
          <UnderWay imports={imports} />
          <TryDemo demo={frame.demo} />
        </>
      ) : (
        <>
          <LookForm action={PATH} eyes={view} query={undefined} placeholder={PLACEHOLDER} />
          <LookingAs eyes={view} here={PATH} />
          {imports !== null && <DropArea csrf={frame.csrf} />}
          {imports !== null && <UnderWay imports={imports} />}
          <p class="lead">
            {formatCount(records, 'record')} in {formatCount(streams, 'stream')} of{' '}
            {formatCount(connections.length, 'connection')}.
          </p>
          {months.length > 1 && (
            <BarsOverTime
              title="Records per month"
              unit="record"
              note={describeRest(records, connections)}
              per="Month"
              labels={months}
              series={connections.map((connection) => ({
                name: connection.name,
                values: months.map((_, i) => sumMonth(connection.streams, i)),
              }))}
              hrefOf={(month) => monthHref(month, view.viewing_as?.grant_id)}
            />
          )}
          {connections.map((connection) => (
            <Connection connection={connection} view={view} open={connections.length <= MOST_OPEN} />
          ))}
          {imports !== null && <ImportHistory history={imports.history} zone={view.time_zone} />}
          {imports !== null && <RemoveDemo connections={imports.demo_connections} csrf={frame.csrf} />}
        </>
      )}
    </Page>
  );
}

/** Why the months add up to less than there is. */
function describeRest(records: number, connections: readonly ConnectionData[]): string | undefined {
  const inMonths = connections
    .flatMap(({ streams }) => streams.flatMap(({ per_month }) => per_month))
    .reduce((sum, n) => sum + n, 0);
  const rest = records - inMonths;
  return rest === 0 ? undefined : `${formatCount(rest)} more are of other times or have none`;
}

export function sumMonth(streams: readonly StreamData[], month: number): number {
  return streams.reduce((sum, stream) => sum + (stream.per_month[month] ?? 0), 0);
}

function Connection(props: { connection: ConnectionData; view: DataOverview; open: boolean }) {
  const { connection, view, open } = props;
  const perMonth = view.months.map((_, i) => sumMonth(connection.streams, i));
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
          <Spark title={`${connection.name} per month`} values={perMonth} />
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

/** What the declaration knows and the data does not fill: told, but out of the way. */
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
          <th scope="col">From, to</th>
          {view.viewing_as === null && <th scope="col">Last change</th>}
          <th scope="col">Per month</th>
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
      <td class="nowrap" data-label="From, to">
        {stream.first === null || stream.last === null ? (
          <span class="muted">no time</span>
        ) : (
          `${formatBucket(stream.first, 'long')} – ${formatBucket(stream.last, 'long')}`
        )}
      </td>
      {view.viewing_as === null && (
        <td class="nowrap" data-label="Last change">
          {changed === undefined ? <span class="muted">–</span> : formatTime(changed, view.time_zone, 'day')}
        </td>
      )}
      <td data-label="Per month">
        {stream.per_month.some((n) => n > 0) ? (
          <Spark title={`${stream.label} per month`} values={stream.per_month} />
        ) : (
          <span class="muted">–</span>
        )}
      </td>
    </tr>
  );
}

/** What the same engine finds that the search tool uses. */
export function SearchPage({ view, frame }: { view: SearchView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const also = view.also.join(', ');
  return (
    <Page title={`Search: ${view.query}`} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery(PATH, { as })}>Data</a>
      </p>
      <h1>Search</h1>
      <LookForm action={PATH} eyes={view} query={view.query} also={also} placeholder={PLACEHOLDER} />
      <LookingAs eyes={view} here={withQuery(PATH, { q: view.query, also })} />
      <Hits hits={view} zone={view.time_zone} as={as} where="any connection" />
      {view.next_cursor !== null && (
        <p>
          <a class="button" href={withQuery(PATH, { q: view.query, also, as, cursor: view.next_cursor })}>
            More
          </a>
        </p>
      )}
    </Page>
  );
}
