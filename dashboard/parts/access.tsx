import type { AppView } from '../../src/views/app.ts';
import type { ConnectionAccess, StreamAccess } from '../../src/views/describe-access.ts';
import { SourceChip } from './chips.tsx';
import { Chip, Confirm, Empty, formatCount, formatTime } from './layout.tsx';
import { accessHref, appHref, withQuery } from './links.ts';

/** More connections than this are collapsed. */
const MAX_OPEN_ITEMS = 4;

/** Access of an app by connection. With `csrf`, connections can be removed. */
export function Access({ view, csrf }: { view: AppView; csrf: string | undefined }) {
  return (
    <>
      {view.connections.length === 0 && <Empty title="No access" />}
      {csrf !== undefined && (
        <p>
          <a class="button" href={accessHref(view.grant_id)}>
            Change access
          </a>
        </p>
      )}
      {csrf !== undefined && view.connections.length > 0 && (
        <p>
          <a href={withQuery('/dashboard/data', { as: view.grant_id })}>View data as this app</a>
        </p>
      )}
      {view.connections.map((connection) => (
        <Connection connection={connection} view={view} csrf={csrf} />
      ))}
      {view.ended_connections.length > 0 && (
        <p class="muted">
          Removed by you: {view.ended_connections.map(({ name }) => name).join(', ')}.{' '}
          {csrf !== undefined && <a href={accessHref(view.grant_id)}>Restore access</a>}
        </p>
      )}
    </>
  );
}

function Connection(props: { connection: ConnectionAccess; view: AppView; csrf: string | undefined }) {
  const { connection, view, csrf } = props;
  const { streams, streams_total } = connection;
  return (
    <details class="card" open={view.connections.length <= MAX_OPEN_ITEMS}>
      <summary>
        <h3>{connection.name}</h3>
        <SourceChip of={connection} />
        <span class="end muted">{countOf(streams.length, streams_total, 'stream')}</span>
      </summary>
      <div class="stack-gap">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">Stream</th>
              <th scope="col">Fields</th>
              <th scope="col">Records</th>
            </tr>
          </thead>
          <tbody>
            {streams.map((stream) => (
              <StreamRow stream={stream} />
            ))}
          </tbody>
        </table>
        {csrf !== undefined && (
          <Confirm
            label="Remove connection"
            action={`${appHref(view.grant_id)}/end-connection`}
            csrf={csrf}
            button={`Remove ${connection.name}`}
          >
            <input type="hidden" name="connection_id" value={connection.connection_id} />
            <p>
              {view.client} will lose access to {connection.name} immediately. Its other access does not
              change.
            </p>
          </Confirm>
        )}
      </div>
    </details>
  );
}

function StreamRow({ stream }: { stream: StreamAccess }) {
  const { fields, fields_left_out, labels } = stream;
  const name = (all: readonly string[]) =>
    all.map((field) => (Object.hasOwn(labels, field) ? labels[field] : field)).join(', ');
  const total = fields.length + fields_left_out.length;
  return (
    <tr>
      <th scope="row">
        {stream.label} {!stream.there && <Chip tone="warn">no longer stored</Chip>}
        {stream.detail !== null && <div class="muted small">{stream.detail}</div>}
      </th>
      <td data-label="Fields">
        <details class="more">
          <summary>{countOf(fields.length, total, 'field')}</summary>
          <p class="small">{name(fields)}</p>
          {fields_left_out.length > 0 && <p class="muted small">Not shared: {name(fields_left_out)}</p>}
        </details>
      </td>
      <td data-label="Records">{describeRecords(stream)}</td>
    </tr>
  );
}

/** "3 of 5 fields", "all 5 fields", "1 field". */
function countOf(n: number, total: number, word: string): string {
  const all = formatCount(total, word);
  return n < total ? `${n} of ${all}` : total === 1 ? all : `all ${all}`;
}

function describeRecords({ since, before, picked_records }: StreamAccess): string {
  const [from, to] = [since, before].map((day) => (day === null ? null : formatTime(day, 'UTC', 'day')));
  const days =
    from && to ? `from ${from}, before ${to}` : from ? `since ${from}` : to ? `before ${to}` : undefined;
  const which = picked_records === null ? 'all' : `${formatCount(picked_records, 'selected record')}`;
  return days === undefined ? which : picked_records === null ? days : `${which}, ${days}`;
}
