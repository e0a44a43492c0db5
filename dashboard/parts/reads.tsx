import type { EventLine, ReadLine } from '../../src/audit/audit-rows.ts';
import { Chip, formatCount, Time } from './layout.tsx';
import { appHref } from './links.ts';

const MOST_NAMES = 8;

/** Reads, and events where there are some, as they lie in the audit: names and numbers. */
export function ReadsTable(props: {
  rows: readonly (ReadLine | EventLine)[];
  zone: string;
  /** Left out where all rows are of one app. */
  withApp: boolean;
}) {
  const { rows, zone, withApp } = props;
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Time</th>
          {withApp && <th scope="col">App</th>}
          <th scope="col">What</th>
          <th scope="col" class="number">
            Records
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            ms
          </th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) =>
          row.type === 'read' ? (
            <ReadRow row={row} zone={zone} withApp={withApp} />
          ) : (
            <EventRow row={row} zone={zone} withApp={withApp} />
          ),
        )}
      </tbody>
    </table>
  );
}

function ReadRow({ row, zone, withApp }: { row: ReadLine; zone: string; withApp: boolean }) {
  return (
    <tr>
      <td class="nowrap" data-label="Time">
        <Time at={row.at} zone={zone} show="second" />
      </td>
      {withApp && (
        <td data-label="App">
          <AppName row={row} />
        </td>
      )}
      <td data-label="What">
        <b class="mono">{row.tool}</b> {row.streams.length > 0 && describePlace(row)}
        {row.fields.length > 0 && <div class="muted small">{fewNames(row.fields)}</div>}
      </td>
      <td class="number" data-label="Records">
        {formatCount(row.records)}
      </td>
      <td class="number" data-label="Tokens">
        {formatCount(row.tokens_out)}
      </td>
      <td class="number" data-label="ms">
        {row.ms < 10 ? row.ms.toFixed(1) : Math.round(row.ms)}
      </td>
      <td data-label="Outcome">
        <Chip tone={row.outcome === 'ok' ? 'good' : 'bad'}>{row.outcome}</Chip>
        <div class="muted small mono">{row.request_id}</div>
      </td>
    </tr>
  );
}

function EventRow({ row, zone, withApp }: { row: EventLine; zone: string; withApp: boolean }) {
  return (
    <tr>
      <td class="nowrap" data-label="Time">
        <Time at={row.at} zone={zone} show="second" />
      </td>
      {withApp && (
        <td data-label={row.client === null ? undefined : 'App'}>
          <AppName row={row} />
        </td>
      )}
      <td colspan={5} data-label="Event">
        {row.text} {row.detail !== null && <span class="muted">{row.detail}</span>}
      </td>
    </tr>
  );
}

function AppName({ row }: { row: ReadLine | EventLine }) {
  if (row.grant_id !== null && row.client !== null) return <a href={appHref(row.grant_id)}>{row.client}</a>;
  if (row.type === 'read' && row.surface === 'dashboard') return <>You, here</>;
  return <>{row.client === 'owner' ? 'You' : (row.client ?? '')}</>;
}

function describePlace(row: ReadLine): string {
  return `${fewNames(row.connections)} · ${fewNames(row.streams)}`;
}

function fewNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more` : names.join(', ');
}
