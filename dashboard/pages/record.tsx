import type { RecordView } from '../../src/views/data-views.ts';
import type { RelatedRecords } from '../../src/views/record.ts';
import type { Frame } from '../parts/frame.ts';
import { Chip, Copy, formatCount, Page, Time } from '../parts/layout.tsx';
import { recordHref, streamHref, withQuery } from '../parts/links.ts';
import { LookingAs } from '../parts/look-as.tsx';
import { shorten, Value } from '../parts/value.tsx';

/** One record, whole: what the addresses that tools give lead to. */
export function RecordPage({ view, frame }: { view: RecordView; frame: Frame }) {
  const as = view.viewing_as?.grant_id;
  return (
    <Page title={view.title} here="data" zone={view.time_zone} {...frame}>
      <p class="small">
        <a href={withQuery('/dashboard/data', { as })}>Data</a> / {view.connection} /{' '}
        <a href={streamHref(view.connection_id, view.stream, { as })}>{view.label}</a>
      </p>
      <h1>{view.title}</h1>
      <p class="row">
        <Chip>{view.connection}</Chip>
        {view.time !== null && <When time={view.time} zone={view.time_zone} />}
        <a href={recordHref(view.id, as, '.md')}>Markdown</a>
        <a href={recordHref(view.id, as, '.json')}>JSON</a>
      </p>
      <LookingAs eyes={view} here={recordHref(view.id, undefined)} />
      <div class="card">
        <table class="stacked record">
          <tbody>
            {view.fields.map((field) => (
              <tr>
                <th scope="row" title={field.description ?? undefined}>
                  {field.name}
                </th>
                <td>
                  <Value value={field.value} kind={field.kind} zone={view.time_zone} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {view.related.length > 0 && (
        <>
          <h2>Related</h2>
          <div class="cards">
            {view.related.map((related) => (
              <Related related={related} view={view} />
            ))}
          </div>
        </>
      )}
      <h2>Its id, for apps</h2>
      <Copy text={view.id} />
    </Page>
  );
}

function When({ time, zone }: { time: string; zone: string }) {
  return time.includes('T') ? <Time at={time} zone={zone} /> : <time datetime={time}>{time}</time>;
}

function Related({ related, view }: { related: RelatedRecords; view: RecordView }) {
  const as = view.viewing_as?.grant_id;
  const { relation, records, total, field } = related;
  return (
    <div class="card">
      <h3>
        {relation} <span class="muted small">{related.label}</span>
      </h3>
      <ul>
        {records.map(({ id, name }) => (
          <li>
            <a href={recordHref(id, as)}>{shorten(name.replace(/\s+/g, ' '), 80)}</a>
          </li>
        ))}
      </ul>
      {field !== null && total > records.length && (
        <a href={streamHref(view.connection_id, related.stream, { field, value: view.key, as })}>
          All {formatCount(total)}
        </a>
      )}
    </div>
  );
}
