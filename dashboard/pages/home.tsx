import type { AppLine } from '../../src/views/apps.ts';
import type { Overview } from '../../src/views/overview.ts';
import { AccountsWithProblems } from '../parts/account-status.tsx';
import { formatBucket } from '../parts/bucket-name.ts';
import { AppChips } from '../parts/chips.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import { Copy, Empty, type Frame, formatCount, Page, Time } from '../parts/layout.tsx';
import { appHref, connectionHref, withQuery } from '../parts/links.ts';
import { Bars, BarsOverTime, Spark } from '../parts/plot.tsx';
import { Reads } from '../parts/reads.tsx';
import { TryDemo } from '../parts/try-demo.tsx';
import type { HomeView } from '../routes.tsx';

export interface HomeProps {
  readonly view: HomeView;
  readonly frame: Frame;
}

const MAX_APPS = 5;
const MAX_CONNECTIONS = 8;

/** Overview of stored data, apps and recent reads. */
export function HomePage({ view, frame }: HomeProps) {
  const { stored, apps, reads, last_reads, time_zone } = view;
  return (
    <Page title="Overview" here="home" {...frame} zone={time_zone}>
      <h1>Overview</h1>
      <AccountsWithProblems accounts={view.accounts_with_problems} zone={time_zone} />
      {stored.records === 0 ? <UploadOrDemo {...frame} /> : <Figures view={view} />}
      <section class="card">
        <div class="spread">
          <h2>Connected apps</h2>
          {apps.length > 0 && <a href="/dashboard/connect">Connect another app</a>}
        </div>
        {apps.length === 0 ? (
          <NoApps url={view.mcp_url} />
        ) : (
          <ul class="lines">
            {apps.slice(0, MAX_APPS).map((app) => (
              <App app={app} zone={time_zone} />
            ))}
          </ul>
        )}
        {apps.length > MAX_APPS && (
          <p>
            <a href="/dashboard/apps">All {apps.length} apps</a>
          </p>
        )}
      </section>
      {(apps.length > 0 || last_reads.length > 0) && (
        <section class="card">
          <h2>Reads</h2>
          {reads.total > 0 && (
            <BarsOverTime
              title="Reads per day"
              unit="read"
              per="Day"
              labels={reads.days}
              series={reads.series}
              hrefOf={(day) => withQuery('/dashboard/activity', { from: day, to: day })}
            />
          )}
          <LastReads view={view} />
        </section>
      )}
      {stored.records > 0 && <StoredData stored={stored} />}
    </Page>
  );
}

function Figures({ view }: { view: Overview }) {
  const { stored, apps, reads } = view;
  const figures: [string, string][] = [
    [formatCount(stored.records), stored.records === 1 ? 'record' : 'records'],
    [formatCount(stored.connections.length), stored.connections.length === 1 ? 'connection' : 'connections'],
    [formatCount(stored.streams), stored.streams === 1 ? 'stream' : 'streams'],
    [formatCount(apps.length), apps.length === 1 ? 'connected app' : 'connected apps'],
    [formatCount(reads.total), reads.total === 1 ? 'read in 30 days' : 'reads in 30 days'],
  ];
  return (
    <div class="figures">
      {figures.map(([value, word]) => (
        <div>
          <b>{value}</b> <span>{word}</span>
        </div>
      ))}
    </div>
  );
}

function StoredData({ stored }: { stored: Overview['stored'] }) {
  const { connections, first, last } = stored;
  const shown = connections.filter(({ records }) => records > 0).slice(0, MAX_CONNECTIONS);
  const day = (name: string) => formatBucket(name, 'long');
  return (
    <section class="card">
      <div class="spread">
        <h2>Data</h2>
        {first !== null && last !== null && (
          <p class="muted">
            {day(first)} to {day(last)}
          </p>
        )}
      </div>
      <Bars
        title="Records by connection"
        rows={shown.map(({ connection_id, name, records }) => ({
          name,
          value: records,
          href: connectionHref(connection_id),
        }))}
      />
      <p>
        <a href="/dashboard/data">
          {shown.length < connections.length
            ? `View all ${connections.length} connections by month`
            : 'View data by month'}
        </a>
      </p>
    </section>
  );
}

function UploadOrDemo({ csrf, demo, hasAccounts }: Frame) {
  return (
    <>
      <DropArea csrf={csrf} hasAccounts={hasAccounts} />
      <TryDemo demo={demo} />
    </>
  );
}

function NoApps({ url }: { url: string }) {
  return (
    <Empty title="No connected apps">
      <p>Give this address to Claude Code, Codex, ChatGPT or another MCP app:</p>
      <Copy text={url} />
      <p>
        <a class="button primary" href="/dashboard/connect">
          Connect an AI app
        </a>
      </p>
    </Empty>
  );
}

function App({ app, zone }: { app: AppLine; zone: string }) {
  return (
    <li>
      <div class="spread">
        <p>
          <a class="strong" href={appHref(app.grant_id)}>
            {app.client}
          </a>{' '}
          <AppChips app={app} />
        </p>
        <p class="row muted small">
          {app.calls_30_days > 0 && <Spark title="Reads per day, last 30 days" values={app.calls_per_day} />}
          {app.last_used_at === null ? (
            'never used'
          ) : (
            <span>
              last read <Time at={app.last_used_at} zone={zone} />
            </span>
          )}
        </p>
      </div>
      <p class="muted small">{app.access}</p>
    </li>
  );
}

function LastReads({ view }: { view: Overview }) {
  const { last_reads: rows, time_zone: zone } = view;
  if (rows.length === 0) {
    return (
      <Empty title="No reads yet">
        <p>Ask a connected app about your data. Its reads appear here.</p>
      </Empty>
    );
  }
  return (
    <>
      <h3>Recent reads</h3>
      <Reads rows={rows} zone={zone} withApp={true} />
      <p>
        <a href="/dashboard/activity">View all activity</a>
      </p>
    </>
  );
}
