import type { ReadLine } from '../../src/audit/audit-rows.ts';
import type { AppLine } from '../../src/views/apps.ts';
import type { Overview } from '../../src/views/overview.ts';
import { DropArea } from '../parts/drop-area.tsx';
import type { Frame } from '../parts/frame.ts';
import { Chip, Confirm, Copy, Count, Empty, formatCount, Page, Time } from '../parts/layout.tsx';
import { appHref } from '../parts/links.ts';
import { Bars, BarsOverTime, formatBucket, Spark } from '../parts/plot.tsx';
import { TryDemo } from '../parts/try-demo.tsx';

export interface HomeProps {
  readonly view: Overview;
  readonly frame: Frame;
}

const MOST_APPS = 5;
const MOST_SOURCES = 8;

/** What is stored, who may read it, what was read lately. */
export function HomePage({ view, frame }: HomeProps) {
  const { stored, apps, reads, last_reads, time_zone } = view;
  return (
    <Page title="Overview" here="home" {...frame} zone={time_zone}>
      <h1>Overview</h1>
      <Figures view={view} />
      {stored.records === 0 ? <NothingStored {...frame} /> : <StoredData stored={stored} />}
      <section class="card">
        <div class="spread">
          <h2>Apps that may read</h2>
          {apps.length > 0 && <a href="/dashboard/connect">Connect another</a>}
        </div>
        {apps.length === 0 ? (
          <NoApps url={view.mcp_url} />
        ) : (
          <ul class="lines">
            {apps.slice(0, MOST_APPS).map((app) => (
              <App app={app} zone={time_zone} />
            ))}
          </ul>
        )}
        {apps.length > MOST_APPS && (
          <p>
            <a href="/dashboard/apps">All {apps.length} apps</a>
          </p>
        )}
      </section>
      {(apps.length > 0 || last_reads.length > 0) && (
        <section class="card">
          <h2>What they read</h2>
          {reads.total > 0 && (
            <BarsOverTime
              title="Reads per day"
              unit="read"
              per="Day"
              labels={reads.days}
              series={reads.series}
            />
          )}
          <LastReads view={view} />
        </section>
      )}
      <Confirm
        label="Sign out everywhere"
        action="/logout/everywhere"
        csrf={frame.csrf}
        button="Sign out all browsers"
      >
        <p>Every browser, this one included, asks for the passphrase again. Apps stay connected.</p>
      </Confirm>
    </Page>
  );
}

function Figures({ view }: { view: Overview }) {
  const { stored, apps, reads } = view;
  const figures: [string, string][] = [
    [formatCount(stored.records), stored.records === 1 ? 'record' : 'records'],
    [formatCount(stored.connections.length), stored.connections.length === 1 ? 'connection' : 'connections'],
    [formatCount(stored.streams), stored.streams === 1 ? 'stream' : 'streams'],
    [formatCount(apps.length), apps.length === 1 ? 'app may read' : 'apps may read'],
    [formatCount(reads.total), 'reads in 30 days'],
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
  const { plot, connections, first, last } = stored;
  const shown = connections.filter(({ records }) => records > 0).slice(0, MOST_SOURCES);
  const day = (name: string) => formatBucket(name, 'long');
  return (
    <section class="card">
      <div class="spread">
        <h2>What is stored</h2>
        {first !== null && last !== null && (
          <p class="muted">
            {day(first)} to {day(last)}
          </p>
        )}
      </div>
      {plot.buckets.length > 1 && (
        <BarsOverTime
          title={`Records per ${plot.interval}`}
          unit="record"
          per={plot.interval}
          labels={plot.buckets}
          series={plot.series}
          note={plot.earlier === 0 ? undefined : `${formatCount(plot.earlier)} earlier`}
        />
      )}
      <Bars
        title="Records by connection"
        rows={shown.map(({ name, records }) => ({ name, value: records }))}
      />
      <p>
        <a href="/dashboard/data">
          {shown.length < connections.length ? `All ${connections.length} connections` : 'Look into the data'}
        </a>
      </p>
    </section>
  );
}

function NothingStored({ csrf, command }: Frame) {
  return (
    <>
      <DropArea csrf={csrf} />
      <TryDemo command={command} />
    </>
  );
}

function NoApps({ url }: { url: string }) {
  return (
    <Empty title="No app is connected.">
      <p>Give this address to Claude Code, Codex, ChatGPT or any other app that speaks MCP:</p>
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
          <Chip>{app.kind}</Chip>
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
  const { last_reads: rows, time_zone: zone, stored } = view;
  const names = new Map(stored.connections.map(({ connection_id, name }) => [connection_id, name]));
  if (rows.length === 0) {
    return (
      <Empty title="Nothing has been read yet.">
        <p>Ask a connected app something about your data, and each of its reads appears here.</p>
      </Empty>
    );
  }
  return (
    <>
      <table class="stacked">
        <caption>Last reads</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">App</th>
            <th scope="col">Did</th>
            <th scope="col">Where</th>
            <th scope="col" class="number">
              Records
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <td data-label="When">
                <Time at={row.at} zone={zone} show="second" />
              </td>
              <td data-label="App">{row.client}</td>
              <td data-label="Did">
                <code>{row.tool}</code> {row.outcome !== 'ok' && <Chip tone="warn">{row.outcome}</Chip>}
              </td>
              <td data-label="Where">{describePlace(row, names)}</td>
              <td data-label="Records" class="number">
                <Count n={row.records} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href="/dashboard/activity">All activity</a>
      </p>
    </>
  );
}

const MOST_NAMES = 3;

function describePlace({ connections, streams }: ReadLine, names: ReadonlyMap<string, string>): string {
  if (connections.length === 0) return 'everything granted';
  const places = shorten(connections.map((id) => names.get(id) ?? id));
  return streams.length === 0 ? places : `${places}: ${shorten(streams)}`;
}

function shorten(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more` : names.join(', ');
}
