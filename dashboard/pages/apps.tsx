import type { AppLine, AppsView } from '../../src/views/apps.ts';
import { AppChips, StateChip } from '../parts/chips.tsx';
import { Confirm, Empty, type Frame, formatCount, Page, Time } from '../parts/layout.tsx';
import { appHref } from '../parts/links.ts';
import { Spark } from '../parts/plot.tsx';

/** Lists apps, their access and use. */
export function AppsPage({ view, frame, done }: { view: AppsView; frame: Frame; done?: string | undefined }) {
  return (
    <Page title="Apps" here="apps" zone={view.time_zone} {...frame}>
      <h1>Apps</h1>
      <p class="lead">Apps that you approved. Revoking access takes effect immediately.</p>
      <JustEnded app={view.ended.find((app) => app.grant_id === done && app.state === 'revoked')} />
      {view.live.length === 0 ? (
        <Empty title="No connected apps">
          <p>
            <a href="/dashboard/connect">Connect an AI app</a>. You choose what it can read.
          </p>
        </Empty>
      ) : (
        <div class="card">
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">App</th>
                <th scope="col">Can read</th>
                <th scope="col">Connected</th>
                <th scope="col">Last used</th>
                <th scope="col">Last 30 days</th>
                <th scope="col">
                  <span class="unseen">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {view.live.map((app) => (
                <LiveRow app={app} zone={view.time_zone} csrf={frame.csrf} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {view.ended.length > 0 && <Ended apps={view.ended} zone={view.time_zone} />}
    </Page>
  );
}

/** Shows a confirmation. It needs an app whose access has really ended, so a forged link shows nothing. */
function JustEnded({ app }: { app: AppLine | undefined }) {
  return app === undefined ? null : (
    <p class="notice" role="status">
      <b>{app.client}</b> has lost access.
    </p>
  );
}

function LiveRow({ app, zone, csrf }: { app: AppLine; zone: string; csrf: string }) {
  return (
    <tr>
      <th scope="row">
        <a href={appHref(app.grant_id)}>{app.client}</a>
        <div>
          <AppChips app={app} />
        </div>
      </th>
      <td data-label="Can read">{app.access}</td>
      <td data-label="Connected">
        <Time at={app.connected_at} zone={zone} show="day" />
      </td>
      <td data-label="Last used">
        {app.last_used_at === null ? (
          <span class="muted">never</span>
        ) : (
          <Time at={app.last_used_at} zone={zone} />
        )}
      </td>
      <td data-label="Last 30 days">
        <Spark title="Reads per day" values={app.calls_per_day} />
        <div class="small">
          {formatCount(app.calls_30_days, 'read')}
          <br />
          {formatCount(app.records_30_days, 'record')}
        </div>
      </td>
      <td>
        <Confirm label="Revoke" action={`${appHref(app.grant_id)}/revoke`} csrf={csrf} button="Revoke access">
          <input type="hidden" name="back" value="apps" />
          <p class="small">{app.client} will lose access immediately.</p>
        </Confirm>
      </td>
    </tr>
  );
}

function Ended({ apps, zone }: { apps: readonly AppLine[]; zone: string }) {
  return (
    <>
      <h2>Former access</h2>
      <div class="stack-gap">
        <div class="card">
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">App</th>
                <th scope="col">Could read</th>
                <th scope="col">Connected</th>
                <th scope="col">Last used</th>
                <th scope="col">Ended</th>
              </tr>
            </thead>
            <tbody>
              {apps.map((app) => (
                <tr>
                  <th scope="row">
                    <a href={appHref(app.grant_id)}>{app.client}</a>
                  </th>
                  <td data-label="Could read" class="muted">
                    {app.access}
                  </td>
                  <td data-label="Connected">
                    <Time at={app.connected_at} zone={zone} show="day" />
                  </td>
                  <td data-label="Last used">
                    {app.last_used_at === null ? (
                      <span class="muted">never</span>
                    ) : (
                      <Time at={app.last_used_at} zone={zone} show="day" />
                    )}
                  </td>
                  <td data-label="Ended">
                    <StateChip state={app.state} />{' '}
                    {app.ended_at !== null && <Time at={app.ended_at} zone={zone} show="day" />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="muted small">Shown for 90 days. These apps may still have data that they read before.</p>
      </div>
    </>
  );
}
