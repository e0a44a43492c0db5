import { DAY_MS } from '../../src/time/durations.ts';
import type { ConnectionData, StreamData } from '../../src/views/data.ts';
import type { DataOverview } from '../../src/views/data-views.ts';
import type { Period } from '../../src/views/reading/periods.ts';
import { type Frame, formatCount, Page, Pagination } from '../parts/layout.tsx';
import { periodHref, streamHref, withQuery } from '../parts/links.ts';
import { ViewingAs } from '../parts/view-as.tsx';
import { DataChart, namePeriod, sumPeriods } from './data.tsx';

interface PeriodPageProps {
  readonly view: DataOverview;
  readonly period: NonNullable<DataOverview['period']>;
  readonly frame: Frame;
}

/** Records of one period by stream. */
export function PeriodPage({ view, period, frame }: PeriodPageProps) {
  const as = view.viewing_as?.grant_id;
  const connections = view.connections
    .map((connection) => ({
      ...connection,
      streams: connection.streams.filter((stream) => sumPeriods([stream]) > 0),
    }))
    .filter(({ streams }) => streams.length > 0);
  const streams = connections.flatMap((one) => one.streams);
  const pageHref = (other: string | null) => (other === null ? null : periodHref(other, as));
  const title = namePeriod(period, 'long');
  return (
    <Page title={title} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a>
      </p>
      <h1>{title}</h1>
      <ViewingAs viewAs={view} here={periodHref(period.name, undefined)} />
      <p class="lead">
        {formatCount(sumPeriods(streams), 'record')} in {formatCount(streams.length, 'stream')} of{' '}
        {formatCount(connections.length, 'connection')}.
      </p>
      {view.periods.length > 1 && <DataChart view={view} note={undefined} />}
      <div class="card">
        <ul class="lines">
          {connections.map((connection) => (
            <li>
              <div class="spread">
                <h2>{connection.name}</h2>
                <span class="muted">{formatCount(sumPeriods(connection.streams), 'record')}</span>
              </div>
              <p class="row">
                {connection.streams.map((stream) => (
                  <span>
                    <a href={recordsHref(connection, stream, period, as)}>{stream.label}</a>{' '}
                    <span class="muted">{formatCount(sumPeriods([stream]))}</span>
                  </span>
                ))}
              </p>
            </li>
          ))}
        </ul>
      </div>
      <Pagination previous={pageHref(period.previous)} next={pageHref(period.next)} label="Periods" />
    </Page>
  );
}

function recordsHref(
  { connection_id }: ConnectionData,
  { stream, time_field }: StreamData,
  { from, to }: Period,
  as: string | undefined,
): string {
  const range = {
    ...(from === null ? {} : { [`from:${time_field}`]: `${from}-01` }),
    ...(to === null ? {} : { [`to:${time_field}`]: dayBefore(`${to}-01`) }),
  };
  return streamHref(connection_id, stream, { ...range, as });
}

/** Returns the last day of a period: `to` is the month after it. */
function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}
