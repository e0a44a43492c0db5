import type { AppView } from '../../src/views/app.ts';
import { Access } from '../parts/access.tsx';
import { AppChips, StateChip } from '../parts/chips.tsx';
import { Confirm, CsrfField, Empty, type Frame, formatCount, Page, Time } from '../parts/layout.tsx';
import { appHref, withQuery } from '../parts/links.ts';
import { Prompts } from '../parts/next-steps.tsx';
import { BarsOverTime } from '../parts/plot.tsx';
import { Reads } from '../parts/reads.tsx';

/** One app: its access, reads, expiry and history. */
export function AppPage({ view, frame, done }: { view: AppView; frame: Frame; done?: string | undefined }) {
  const isLive = view.state === 'live';
  const zone = view.time_zone;
  return (
    <Page title={view.client} here="apps" zone={zone} {...frame}>
      <p class="small">
        <a href="/dashboard/apps">Apps</a>
      </p>
      <h1>{view.client}</h1>
      <p class="row">
        <StateChip state={view.state} /> <AppChips app={view} />
      </p>
      {isLive ? <Done done={done} /> : <EndedNotice view={view} />}
      <p class="lead">{view.access}</p>
      {view.purpose !== null && (
        <p>
          Purpose stated by the app: <q>{view.purpose}</q>
        </p>
      )}
      <Dates view={view} />
      <Figures view={view} />
      {view.calls_30_days > 0 && (
        <BarsOverTime
          title="Reads per day"
          unit="read"
          per="Day"
          labels={view.days.map((day) => day.day)}
          series={[{ name: 'Reads', values: view.days.map((day) => day.calls) }]}
        />
      )}
      <h2>{isLive ? 'Access' : 'Former access'}</h2>
      <Access view={view} csrf={isLive ? frame.csrf : undefined} />
      {isLive && <Prompts of={view} prompts={view.prompts} />}
      {isLive && <ExpiryAndRevocation view={view} csrf={frame.csrf} />}
      <h2>Recent reads</h2>
      <div class="stack-gap">
        {view.reads.length === 0 ? (
          <Empty title="No reads yet" />
        ) : (
          <div class="card">
            <Reads rows={view.reads} zone={zone} withApp={false} />
          </div>
        )}
        <p>
          <a href={withQuery('/dashboard/activity', { app: view.grant_id })}>View all activity of this app</a>
        </p>
      </div>
      {view.events.length > 0 && <Events view={view} />}
      <Technical view={view} />
    </Page>
  );
}

/** Confirmation messages by key. The page shows only these, so that a link cannot inject a text. */
const sentences: Readonly<Record<string, string>> = {
  expiry: 'Expiry updated.',
  access: 'Access updated.',
  connection: 'Connection removed from this app’s access.',
};

function Done({ done }: { done: string | undefined }) {
  const sentence = done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
  return sentence === undefined ? null : (
    <p class="notice" role="status">
      {sentence}
    </p>
  );
}

function EndedNotice({ view }: { view: AppView }) {
  return (
    <p class="notice bad">
      {view.state === 'revoked' ? 'You revoked this access' : 'This access expired'}
      {view.ended_at !== null && (
        <>
          {' on '}
          <Time at={view.ended_at} zone={view.time_zone} />
        </>
      )}
      . The app may still have data that it read before.
    </p>
  );
}

function Dates({ view }: { view: AppView }) {
  const zone = view.time_zone;
  return (
    <p class="muted">
      Connected <Time at={view.connected_at} zone={zone} show="day" /> ·{' '}
      {view.last_used_at === null ? (
        'never used'
      ) : (
        <>
          last used <Time at={view.last_used_at} zone={zone} />
        </>
      )}
    </p>
  );
}

function Figures({ view }: { view: AppView }) {
  const { calls_30_days: reads, records_30_days: records } = view;
  const figures: [number, string][] = [
    [reads, reads === 1 ? 'read' : 'reads'],
    [records, records === 1 ? 'record returned' : 'records returned'],
  ];
  return (
    <div class="figures">
      {figures.map(([n, what]) => (
        <div>
          <b>{formatCount(n)}</b> <span>{what} in 30 days</span>
        </div>
      ))}
    </div>
  );
}

function ExpiryAndRevocation({ view, csrf }: { view: AppView; csrf: string }) {
  const action = `${appHref(view.grant_id)}/expiry`;
  return (
    <>
      <h2>Expiry and revocation</h2>
      <div class="cards">
        <div class="card">
          <h3>Expiry</h3>
          <p class="muted">
            {view.expires_at === null ? (
              'Access lasts until you revoke it.'
            ) : (
              <>
                Access ends on <Time at={view.expires_at} zone={view.time_zone} />.
              </>
            )}
          </p>
          <form method="post" action={action} class="field">
            <CsrfField csrf={csrf} />
            <label for="expires">New expiry</label>
            <div class="row">
              <select id="expires" name="expires">
                {view.expiry_choices.map(({ value, label }) => (
                  <option value={value}>{label}</option>
                ))}
              </select>
              <button type="submit">Save</button>
            </div>
          </form>
          <form method="post" action={action} class="field">
            <CsrfField csrf={csrf} />
            <label for="expires-on">Or choose the last day of access</label>
            <div class="row">
              <input id="expires-on" type="date" name="expires" required />
              <button type="submit">Save</button>
            </div>
          </form>
        </div>
        <div class="card">
          <h3>Revoke access</h3>
          <p>{view.client} will lose access immediately. Data that it has already read is not deleted.</p>
          <Confirm
            label="Revoke access"
            action={`${appHref(view.grant_id)}/revoke`}
            csrf={csrf}
            button={`Revoke access for ${view.client}`}
          >
            <p>To read your data again, the app must ask for access and you must approve.</p>
          </Confirm>
        </div>
      </div>
    </>
  );
}

function Events({ view }: { view: AppView }) {
  return (
    <>
      <h2>Access history</h2>
      <div class="card">
        <Reads rows={view.events} zone={view.time_zone} withApp={false} />
      </div>
    </>
  );
}

function Technical({ view }: { view: AppView }) {
  return (
    <details class="more">
      <summary>Technical details</summary>
      <dl>
        <dt>Grant ID</dt>
        <dd class="mono">{view.grant_id}</dd>
        <dt>Tokens returned in 30 days</dt>
        <dd>about {formatCount(view.tokens_30_days, 'token')}</dd>
        {view.client_id !== null && (
          <>
            <dt>Client ID</dt>
            <dd class="mono">{view.client_id}</dd>
          </>
        )}
        {view.redirect_host !== null && (
          <>
            <dt>Redirect host</dt>
            <dd class="mono">{view.redirect_host}</dd>
          </>
        )}
      </dl>
    </details>
  );
}
