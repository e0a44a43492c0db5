import type { OfferedConnection, OfferedField, OfferedStream } from '../../src/oauth/consent-offer.ts';
import { Chip, Empty, formatCount } from '../layout.tsx';

/** Everything that can be ticked. A form names streams and fields by their place, which the digest has fixed. */
export function OfferedConnections({ connections }: { connections: readonly OfferedConnection[] }) {
  if (connections.length === 0) {
    return (
      <Empty title="There is nothing to read yet">
        <p>Import something first, then let the app ask again.</p>
      </Empty>
    );
  }
  const streams = connections.flatMap((connection) => connection.streams);
  const few = streams.length <= FEW_STREAMS;
  return (
    <div class="offered">
      {connections.map((connection) => (
        <Connection connection={connection} open={few} />
      ))}
    </div>
  );
}

/** So many fit on a page; with more, a connection shows its streams when asked. */
const FEW_STREAMS = 12;

function Connection({ connection, open }: { connection: OfferedConnection; open: boolean }) {
  const { connection_id, name, streams } = connection;
  return (
    <fieldset class="card offered-connection">
      <legend class="unseen">{name}</legend>
      <input
        type="checkbox"
        class="needs-script"
        data-toggle-all={connection_id}
        aria-label={`All of ${name}`}
      />
      <details open={open}>
        <summary>
          <b>{name}</b> <span class="muted">{describeStreams(streams)}</span>
        </summary>
        <ul class="plain">
          {streams.map((stream) => (
            <Stream stream={stream} group={connection_id} />
          ))}
        </ul>
      </details>
    </fieldset>
  );
}

function describeStreams(streams: readonly OfferedStream[]): string {
  const days = streams.flatMap(({ first, last }) => (first && last ? [first, last] : [])).sort();
  const records = streams.reduce((sum, stream) => sum + stream.records, 0);
  const size = describeSize({ records, first: days[0], last: days.at(-1) });
  const off = streams.filter((stream) => !stream.ticked).length;
  const said = `${formatCount(streams.length, 'stream')}, ${size}`;
  return off === 0 ? said : `${said} · ${off === streams.length ? 'off' : `${off} off`}`;
}

function Stream({ stream, group }: { stream: OfferedStream; group: string }) {
  const optional = stream.fields.filter((field) => !field.always);
  return (
    <li class="offered-stream">
      <label>
        <input
          type="checkbox"
          name="stream"
          value={String(stream.index)}
          checked={stream.ticked}
          data-in={group}
        />{' '}
        <b>{stream.label}</b> <span class="muted">{describeSize(stream)}</span>{' '}
        {stream.sensitive && <Chip tone="warn">sensitive</Chip>}
      </label>
      {stream.detail !== undefined && <p class="muted">{stream.detail}</p>}
      {(stream.asked_since ?? stream.asked_until ?? stream.asked_records) !== undefined && (
        <p class="muted">{describeAsked(stream)}</p>
      )}
      {optional.length > 0 && (
        <details class="more">
          <summary>{describeFields(optional)}</summary>
          <div class="choices">
            {stream.fields.map((field, place) => (
              <Field field={field} value={`${stream.index}.${place}`} />
            ))}
          </div>
        </details>
      )}
    </li>
  );
}

function Field({ field, value }: { field: OfferedField; value: string }) {
  return (
    <label title={field.description}>
      <input type="checkbox" name="field" value={value} checked={field.ticked} disabled={field.always} />{' '}
      <span class="mono">{field.name}</span> {field.always && <span class="muted">always</span>}
      {field.sensitive && <Chip tone="warn">sensitive</Chip>}
    </label>
  );
}

function describeSize(span: { records: number; first?: string | undefined; last?: string | undefined }) {
  const count = formatCount(span.records, 'record');
  if (span.first === undefined || span.last === undefined) return count;
  const [first, last] = [span.first.slice(0, 4), span.last.slice(0, 4)];
  return first === last ? `${count}, ${first}` : `${count}, ${first} to ${last}`;
}

function describeFields(optional: readonly OfferedField[]): string {
  const off = optional.filter((field) => !field.ticked).map((field) => field.name);
  const fields = formatCount(optional.length, 'optional field');
  return off.length === 0 ? fields : `${fields}, off: ${off.join(', ')}`;
}

function describeAsked(stream: OfferedStream): string {
  const parts = [
    stream.asked_since && `from ${stream.asked_since.slice(0, 10)}`,
    stream.asked_until && `until ${stream.asked_until.slice(0, 10)}`,
    stream.asked_records !== undefined && formatCount(stream.asked_records, 'single record'),
  ];
  return `Asked for: ${parts.filter(Boolean).join(', ')}`;
}
