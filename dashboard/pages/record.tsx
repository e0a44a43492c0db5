import type { RecordView } from '../../src/views/data-views.ts';
import type { RelatedRecords } from '../../src/views/reading/related.ts';
import type { FieldValue } from '../../src/views/record.ts';
import { Chip, Copy, type Frame, formatCount, Page, Pagination } from '../parts/layout.tsx';
import { recordHref, streamHref, withQuery } from '../parts/links.ts';
import { EntryList, Messages } from '../parts/messages.tsx';
import { Value, When } from '../parts/value.tsx';
import { ViewingAs } from '../parts/view-as.tsx';

/** One record. Tools return the address of this page. */
export function RecordPage({ view, frame }: { view: RecordView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  const [first, ...others] = view.related;
  const main = first !== undefined && first.form !== 'one' ? first : undefined;
  const cards = main === undefined ? view.related : others;
  const body = view.fields.find(({ name }) => name === view.says);
  const rest = putIdsLast(view.fields.filter((field) => field !== body && !isBlank(field.value)));
  const [amountField, ...otherAmounts] = rest.filter(({ amount }) => amount !== null);
  return (
    <Page title={view.title} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a> / {view.connection} /{' '}
        <a href={streamHref(view.connection_id, view.stream, { as })}>{view.label}</a>
      </p>
      <h1>{view.title}</h1>
      <p class="row">
        {view.who !== null && <b>{view.who}</b>}
        {amountField !== undefined && otherAmounts.length === 0 && <b>{amountField.amount}</b>}
        {view.time !== null && <When at={view.time} zone={view.time_zone} />}
        <Chip>{view.connection}</Chip>
      </p>
      <ViewingAs viewAs={view} here={recordHref(view.id, undefined)} />
      {body !== undefined && (
        <div class="card">
          <Value value={body.value} kind={body.kind} zone={view.time_zone} amount={null} />
          <CutNote field={body} />
        </div>
      )}
      {main !== undefined && <PagedRelated related={main} view={view} />}
      <Fields fields={rest} zone={view.time_zone} collapsed={main?.form === 'talk'} />
      {cards.length > 0 && (
        <>
          <h2>Related</h2>
          <div class="cards">
            {cards.map((related) => (
              <RelatedCard related={related} view={view} />
            ))}
          </div>
        </>
      )}
      <h2>Record ID</h2>
      <p class="row">
        <span>
          Also available as <a href={recordHref(view.id, as, '.md')}>Markdown</a> or{' '}
          <a href={recordHref(view.id, as, '.json')}>JSON</a>
        </span>
      </p>
      <Copy text={view.id} />
    </Page>
  );
}

/** Shows which part of a long value is displayed. */
function CutNote({ field: { cut } }: { field: FieldValue }) {
  if (cut === null) return null;
  return (
    <p class="small muted">
      The first {formatCount(cut.shown)} of {formatCount(cut.total, 'character')}
    </p>
  );
}

function Fields({
  fields,
  zone,
  collapsed,
}: {
  fields: readonly FieldValue[];
  zone: string;
  collapsed: boolean;
}) {
  const table = (
    <table class="stacked record">
      <tbody>
        {fields.map((field) => (
          <tr>
            <th scope="row" title={field.description ?? undefined}>
              {field.label}
            </th>
            <td>
              <Value value={field.value} kind={field.kind} zone={zone} amount={field.amount} />
              <CutNote field={field} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!collapsed) return <div class="card">{table}</div>;
  return (
    <details class="card">
      <summary>
        <h2>Details</h2>
        <span class="end muted">{formatCount(fields.length, 'field')}</span>
      </summary>
      {table}
    </details>
  );
}

/** Related records, paged. */
function PagedRelated({ related, view }: { related: RelatedRecords; view: RecordView }) {
  const as = view.viewing_as?.grant_id;
  const { form, label, records, total, previous, next } = related;
  const hrefWith = (parameters: Record<string, string | null>) =>
    withQuery(recordHref(view.id, undefined), { as, ...parameters });
  const pageHref = (cursor: string | null) => (cursor === null ? null : hrefWith({ cursor }));
  const isLong = previous !== null || next !== null;
  const Entries = form === 'talk' ? Messages : EntryList;
  return (
    <section class="card">
      <div class="spread">
        <h2>
          {label} <span class="muted small">{formatCount(total)}</span>
        </h2>
        {isLong && (
          <form class="row" method="get" action={recordHref(view.id, undefined)}>
            {as !== undefined && <input type="hidden" name="as" value={as} />}
            <a href={hrefWith({})}>First</a>
            <a href={hrefWith({ at: 'end' })}>Last</a>
            <input type="date" name="at" required aria-label="Day" />
            <button type="submit">Go to day</button>
          </form>
        )}
      </div>
      {records.length === 0 && <p class="muted">Nothing after this day.</p>}
      <Entries entries={records} zone={view.time_zone} as={as} />
      <Pagination previous={pageHref(previous)} next={pageHref(next)} label={label} />
    </section>
  );
}

function RelatedCard({ related, view }: { related: RelatedRecords; view: RecordView }) {
  const as = view.viewing_as?.grant_id;
  const { label, records, total, field, at } = related;
  const [one] = records;
  return (
    <div class="card">
      <h3>{label}</h3>
      <EntryList entries={records} zone={view.time_zone} as={as} />
      {at !== null && one !== undefined && (
        <p class="small">
          <a href={withQuery(recordHref(one.id, undefined), { as, at })}>Continue from here</a>
        </p>
      )}
      {field !== null && total > records.length && (
        <p class="small">
          <a href={streamHref(view.connection_id, related.stream, { [`is:${field}`]: view.key, as })}>
            All {formatCount(total)}
          </a>
        </p>
      )}
    </div>
  );
}

/** Moves ids to the end. */
function putIdsLast(fields: readonly FieldValue[]): FieldValue[] {
  const isId = ({ name }: FieldValue) =>
    /(^|[_.-])(u?id|ids|uuid|guid|ts)$/i.test(name) || /[a-z\d]Ids?$/.test(name);
  return [...fields.filter((field) => !isId(field)), ...fields.filter(isId)];
}

/** Returns whether a value is empty. False and zero are not. */
function isBlank(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
