import type { ConsentForm } from '../../src/oauth/consent/consent-form.ts';
import type {
  OfferedConnection,
  OfferedField,
  OfferedStream,
} from '../../src/oauth/consent/consent-offer.ts';
import type { Sample, SampleValue } from '../../src/views/reading/samples.ts';
import { Chip, Empty, formatCount } from '../parts/layout.tsx';
import { dayOf, When } from '../parts/value.tsx';

interface Offered {
  readonly connections: readonly OfferedConnection[];
  readonly form: ConsentForm;
  readonly samples: ReadonlyMap<number, Sample>;
  readonly zone: string;
}

/** Checkboxes for all offered data. */
export function OfferedConnections({ connections, form, samples, zone }: Offered) {
  if (connections.length === 0) {
    return (
      <Empty title="No data yet">
        <p>Import your data first. Then connect the app again.</p>
      </Empty>
    );
  }
  const streams = connections.flatMap((connection) => connection.streams);
  const isOpen = streams.length <= MAX_OPEN_STREAMS;
  return (
    <div class="offered">
      {sortByIndex(streams).map(({ id }) => (
        <input type="hidden" name="offered" value={id} />
      ))}
      {connections.map((connection) => (
        <Connection connection={connection} form={form} samples={samples} zone={zone} open={isOpen} />
      ))}
    </div>
  );
}

/** Sorts streams by index, because the form refers to them by index. */
function sortByIndex(streams: readonly OfferedStream[]): OfferedStream[] {
  return [...streams].sort((a, b) => a.index - b.index);
}

/** If more streams are offered, connections are collapsed. */
const MAX_OPEN_STREAMS = 12;

function Connection(props: Omit<Offered, 'connections'> & { connection: OfferedConnection; open: boolean }) {
  const { connection, form, samples, zone, open } = props;
  const { connection_id, name, streams } = connection;
  return (
    <fieldset class="card offered-connection">
      <legend class="unseen">{name}</legend>
      <label class="needs-script">
        <input type="checkbox" data-toggle-all={connection_id} aria-label={`All of ${name}`} />
      </label>
      <details open={open}>
        <summary class="sentence">
          <b>{name}</b> <span class="muted">{describeStreams(streams)}</span>
          {/* With JavaScript, the connection's checkbox shows this and is updated. */}
          <span class="muted nowrap without-script">{describeUnselected(streams, form)}</span>
        </summary>
        <ul class="plain">
          {streams.map((stream) => (
            <Stream
              stream={stream}
              form={form}
              group={connection_id}
              sample={samples.get(stream.index)}
              zone={zone}
            />
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
  // The data page counts streams with records. Empty streams are offered too, because records may be added later.
  const empty = streams.filter((stream) => stream.records === 0).length;
  const without = empty === 0 || empty === streams.length ? '' : ` (${formatCount(empty)} empty)`;
  return `${formatCount(streams.length, 'stream')}${without}, ${size}`;
}

function describeUnselected(streams: readonly OfferedStream[], form: ConsentForm): string {
  const on = streams.filter((stream) => form.streams.has(stream.index)).length;
  return on === streams.length
    ? ''
    : ` · ${on === 0 ? 'not selected' : `${streams.length - on} not selected`}`;
}

interface StreamProps {
  readonly stream: OfferedStream;
  readonly form: ConsentForm;
  readonly group: string;
  readonly sample: Sample | undefined;
  readonly zone: string;
}

function Stream({ stream, form, group, sample, zone }: StreamProps) {
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
        {stream.sensitive !== undefined && <Chip tone="warn">{`sensitive: ${stream.sensitive}`}</Chip>}
      </label>
      {stream.detail !== undefined && <p class="muted">{stream.detail}</p>}
      <p id={`without-${stream.index}`} class="without" data-previewed>
        {describeMissingText(optional, form)}
      </p>
      {(stream.asked_since ?? stream.asked_until ?? stream.asked_records) !== undefined && (
        <p class="muted">{describeAsked(stream, zone)}</p>
      )}
      {optional.length > 0 && (
        <details class="more">
          <summary id={`fields-${stream.index}`} data-previewed>
            {describeFields(optional, form)}
          </summary>
          <div class="choices">
            {stream.fields.map((field) => (
              <Field field={field} ticked={field.always || form.fields.has(field.value)} />
            ))}
          </div>
        </details>
      )}
      {stream.records > 0 && <SampleRecord sample={sample} index={stream.index} zone={zone} />}
    </li>
  );
}

/** Shows the label; the tooltip has the name and description. */
function Field({ field, ticked }: { field: OfferedField; ticked: boolean }) {
  const { name, label, description, sensitive, always, value } = field;
  return (
    <label title={description === undefined ? name : `${name}: ${description}`}>
      <input type="checkbox" name="field" value={value} checked={ticked} disabled={always} />{' '}
      <span>{label}</span> {always && <span class="muted">always included</span>}
      {sensitive !== undefined && <Chip tone="warn">{`sensitive: ${sensitive}`}</Chip>}
    </label>
  );
}

/** The newest record with the selected fields, as the app would see it. */
function SampleRecord(props: { sample: Sample | undefined; index: number; zone: string }) {
  const { sample, index, zone } = props;
  return (
    <details class="more">
      <summary>Show sample</summary>
      <div id={`sample-${index}`} data-previewed>
        {sample === undefined ? (
          <p class="muted">The app would not see any of these records.</p>
        ) : (
          <dl class="sample">
            {sample.map((one) => (
              <div>
                <dt title={one.name}>{one.label}</dt>
                <dd>{showSample(one, zone)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </details>
  );
}

function showSample({ kind, value }: SampleValue, zone: string) {
  return kind === 'date-time' || kind === 'date' ? <When at={value} zone={zone} /> : value;
}

function describeSize(span: { records: number; first?: string | undefined; last?: string | undefined }) {
  const count = formatCount(span.records, 'record');
  if (span.first === undefined || span.last === undefined) return count;
  const [first, last] = [span.first.slice(0, 4), span.last.slice(0, 4)];
  return first === last ? `${count}, ${first}` : `${count}, ${first} to ${last}`;
}

/** Lists private text fields that are not selected. */
function describeMissingText(optional: readonly OfferedField[], form: ConsentForm): string {
  const off = optional.filter(({ private_text, value }) => private_text && !form.fields.has(value));
  return off.length === 0 ? '' : `Without ${off.map(({ inside }) => inside).join(', ')}`;
}

/** Lists fields that are not selected, with the reason if they are sensitive. */
function describeFields(optional: readonly OfferedField[], form: ConsentForm): string {
  const off = optional
    .filter((field) => !form.fields.has(field.value))
    .map(({ inside, sensitive }) => (sensitive === undefined ? inside : `${inside} (${sensitive})`));
  const fields = formatCount(optional.length, 'optional field');
  return off.length === 0 ? fields : `${fields}, not selected: ${off.join(', ')}`;
}

function describeAsked(stream: OfferedStream, zone: string): string {
  const parts = [
    stream.asked_since && `from ${dayOf(stream.asked_since, zone)}`,
    stream.asked_until && `until ${dayOf(stream.asked_until, zone)}`,
    stream.asked_records !== undefined && formatCount(stream.asked_records, 'single record'),
  ];
  return `Requested: ${parts.filter(Boolean).join(', ')}`;
}
