import type { ConnectionView } from '../import-routes.tsx';
import { AlsoLet } from '../parts/ask-about.tsx';
import { SourceChip } from '../parts/chips.tsx';
import type { Frame } from '../parts/frame.ts';
import { Confirm, CsrfField, formatCount, Page } from '../parts/layout.tsx';
import { appHref, connectionHref, streamHref } from '../parts/links.ts';

interface ConnectionProps {
  readonly view: ConnectionView;
  readonly frame: Frame;
  readonly done: string | undefined;
}

/** One connection: its name, and the way to be rid of it. */
export function ConnectionPage({ view, frame, done }: ConnectionProps) {
  const { connection_id: id, name, streams, records } = view;
  return (
    <Page title={name} here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>{name}</h1>
      <p>
        <SourceChip of={view} />{' '}
        <span class="muted">
          For apps and commands: <code>{id}</code>
        </span>
      </p>
      {done === 'renamed' && <p class="notice">It has its new name. Apps see it from their next call.</p>}
      <section class="card">
        <h2>Name</h2>
        <form method="post" action={`${connectionHref(id)}/rename`}>
          <CsrfField csrf={frame.csrf} />
          <div class="field">
            <label for="name">What you and your apps call it</label>
            <input id="name" name="name" value={name} required maxlength={200} autocomplete="off" />
          </div>
          <button type="submit">Rename</button>
        </form>
      </section>
      <section class="card">
        <h2>Who may read it</h2>
        {view.apps.length === 0 ? (
          <p class="muted">No app may read it now.</p>
        ) : (
          <ul class="lines">
            {view.apps.map(({ grant_id, client }) => (
              <li>
                <a href={appHref(grant_id)}>{client}</a>
              </li>
            ))}
          </ul>
        )}
        <AlsoLet wider={view.wider} />
      </section>
      <section class="card">
        <h2>What it holds</h2>
        <ul class="lines">
          {streams.map(({ stream, label, records: n }) => (
            <li class="spread">
              <a href={streamHref(id, stream)}>{label}</a>
              <span class="muted">{formatCount(n, 'record')}</span>
            </li>
          ))}
        </ul>
        <Confirm
          label="Remove"
          action={`${connectionHref(id)}/remove`}
          csrf={frame.csrf}
          button={`Remove ${formatCount(records, 'record')} for good`}
        >
          <p>
            All {formatCount(records, 'record')} go, with their history, the text index and the reports of
            imports. What apps have read stays in the activity. This cannot be undone; a backup that you made
            keeps what it has.
          </p>
          <Readers apps={view.apps} />
        </Confirm>
      </section>
    </Page>
  );
}

/** Who loses it. */
function Readers({ apps }: { apps: ConnectionView['apps'] }) {
  if (apps.length === 0) return <p>No app may read it now.</p>;
  return (
    <>
      <p>
        {apps.length === 1 ? 'This app may read it, and loses it:' : 'These apps may read it, and lose it:'}
      </p>
      <ul>
        {apps.map(({ grant_id, client }) => (
          <li>
            <a href={appHref(grant_id)}>{client}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
