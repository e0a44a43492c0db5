import type { ConsentForm } from '../../src/oauth/consent/consent-form.ts';
import type {
  OfferedConnection,
  OfferedField,
  OfferedStream,
} from '../../src/oauth/consent/consent-offer.ts';
import { Chip, Empty, formatCount } from '../parts/layout.tsx';

interface Offered {
  readonly connections: readonly OfferedConnection[];
  readonly form: ConsentForm;
}

/** Everything that can be ticked, and is ticked as the form says. */
export function OfferedConnections({ connections, form }: Offered) {
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
      {inOrder(streams).map(({ id }) => (
        <input type="hidden" name="offered" value={id} />
      ))}
      {connections.map((connection) => (
        <Connection connection={connection} form={form} open={few} />
      ))}
    </div>
  );
}

/** The form names a stream by its place in this list. */
function inOrder(streams: readonly OfferedStream[]): OfferedStream[] {
  return [...streams].sort((a, b) => a.index - b.index);
}

/** So many fit on a page; with more, a connection shows its streams when asked. */
const FEW_STREAMS = 12;

function Connection(props: { connection: OfferedConnection; form: ConsentForm; open: boolean }) {
  const { connection, form, open } = props;
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
          <b>{name}</b> <span class="muted">{describeStreams(streams, form)}</span>
        </summary>
        <ul class="plain">
          {streams.map((stream) => (
            <Stream stream={stream} form={form} group={connection_id} />
          ))}
        </ul>
      </details>
    </fieldset>
  );
}

function describeStreams(streams: readonly OfferedStream[], form: ConsentForm): string {
  const days = streams.flatMap(({ first, last }) => (first && last ? [first, last] : [])).sort();
  const records = streams.reduce((sum, stream) => sum + stream.records, 0);
  const size = describeSize({ records, first: days[0], last: days.at(-1) });
  const off = streams.filter((stream) => !form.streams.has(stream.index)).length;
  const said = `${formatCount(streams.length, 'stream')}, ${size}`;
  return off === 0 ? said : `${said} · ${off === streams.length ? 'off' : `${off} off`}`;
}

function Stream({ stream, form, group }: { stream: OfferedStream; form: ConsentForm; group: string }) {
  const optional = stream.fields.filter((field) => !field.always);
  return (
    <li class="offered-stream">
      <label>
        <input
          type="checkbox"
          name="stream"
          value={String(stream.index)}
          checked={form.streams.has(stream.index)}
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
          <summary>{describeFields(optional, form)}</summary>
          <div class="choices">
            {stream.fields.map((field) => (
              <Field field={field} ticked={field.always || form.fields.has(field.value)} />
            ))}
          </div>
        </details>
      )}
    </li>
  );
}

function Field({ field, ticked }: { field: OfferedField; ticked: boolean }) {
  return (
    <label title={field.description}>
      <input type="checkbox" name="field" value={field.value} checked={ticked} disabled={field.always} />{' '}
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

function describeFields(optional: readonly OfferedField[], form: ConsentForm): string {
  const off = optional.filter((field) => !form.fields.has(field.value)).map((field) => field.name);
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
