import type { ConnectionData, StreamData } from '../../src/views/data.ts';
import type { DataOverview } from '../../src/views/data-views.ts';
import { formatBucket } from '../parts/bucket-name.ts';
import type { Frame } from '../parts/frame.ts';
import { Empty, formatCount, Page } from '../parts/layout.tsx';
import { Leaves } from '../parts/leaves.tsx';
import { monthHref, streamHref, withQuery } from '../parts/links.ts';
import { LookingAs } from '../parts/look-as.tsx';
import { sumMonth } from './data.tsx';

/** What there is of one month, stream by stream; each leads to those records. */
export function MonthPage({ view, month, frame }: { view: DataOverview; month: string; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const at = view.months.indexOf(month);
  const connections = view.connections
    .map((connection) => ({
      ...connection,
      streams: connection.streams.filter(({ per_month }) => (per_month[at] ?? 0) > 0),
    }))
    .filter(({ streams }) => streams.length > 0);
  const streams = connections.flatMap((one) => one.streams);
  const leaf = (other: string | undefined) => (other === undefined ? null : monthHref(other, as));
  return (
    <Page title={formatBucket(month, 'long')} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a>
      </p>
      <h1>{formatBucket(month, 'long')}</h1>
      <LookingAs eyes={view} here={monthHref(month, undefined)} />
      {streams.length === 0 ? (
        <Empty title="No records of this month" />
      ) : (
        <p class="lead">
          {formatCount(sumMonth(streams, at), 'record')} in {formatCount(streams.length, 'stream')} of{' '}
          {formatCount(connections.length, 'connection')}.
        </p>
      )}
      {connections.length > 0 && (
        <div class="card">
          <ul class="lines">
            {connections.map((connection) => (
              <li>
                <div class="spread">
                  <h2>{connection.name}</h2>
                  <span class="muted">{formatCount(sumMonth(connection.streams, at), 'record')}</span>
                </div>
                <p class="row">
                  {connection.streams.map((stream) => (
                    <span>
                      <a href={recordsHref(connection, stream, month, as)}>{stream.label}</a>{' '}
                      <span class="muted">{formatCount(stream.per_month[at] ?? 0)}</span>
                    </span>
                  ))}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Leaves previous={leaf(view.months[at - 1])} next={leaf(view.months[at + 1])} label="Months" />
    </Page>
  );
}

function recordsHref(
  { connection_id }: ConnectionData,
  { stream, time_field }: StreamData,
  month: string,
  as: string | undefined,
): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  // The day before the first of the next month.
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const range = { [`from:${time_field}`]: `${month}-01`, [`to:${time_field}`]: last };
  return streamHref(connection_id, stream, { ...range, as });
}
