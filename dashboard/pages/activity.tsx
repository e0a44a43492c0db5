import type { ActivityView, Choice } from '../../src/views/activity/activity.ts';
import { formatBucket } from '../parts/bucket-name.ts';
import { Empty, type Frame, formatCount, Page, Time } from '../parts/layout.tsx';
import { withQuery } from '../parts/links.ts';
import { BarsOverTime } from '../parts/plot.tsx';
import { Reads } from '../parts/reads.tsx';

/** Log of reads and events with filters. */
export function ActivityPage({ view, frame }: { view: ActivityView; frame: Frame }) {
  const { plot, filter } = view;
  return (
    <Page title="Activity" here="activity" zone={view.time_zone} {...frame}>
      <h1>Activity</h1>
      <p class="lead">
        Every time an app read your data, and every change to access. Record contents are not logged.
      </p>
      <Filter view={view} />
      <div class="figures">
        <Figure n={plot.totals.reads} word="reads" />
        <Figure n={plot.totals.refused} word="failed or refused" />
        <Figure n={plot.totals.records} word="records returned" />
      </div>
      <p class="muted small">{describeSpan(view)}</p>
      {filter.tool !== 'events' && (
        <BarsOverTime
          title={`Reads per ${plot.interval}`}
          unit="read"
          per={plot.interval}
          labels={plot.buckets}
          series={plot.series}
          hrefOf={plot.interval === 'day' ? (day) => dayHref(filter, day) : undefined}
        />
      )}
      <Rows view={view} />
      {view.counted_until !== null && <Counted view={view} at={view.counted_until} />}
    </Page>
  );
}

/** Links to the reads of one day with the current filter. */
function dayHref(filter: ActivityView['filter'], day: string): string {
  return withQuery('/dashboard/activity', { ...filter, from: day, to: day });
}

/** Explains that old reads are only counted. */
function Counted({ view, at }: { view: ActivityView; at: string }) {
  return (
    <p class="muted small">
      Reads until <Time at={at} zone={view.time_zone} /> are no longer listed individually. They are counted
      by day, app and tool
      {view.filter.connection === undefined ? '.' : ', but not by connection, so this chart leaves them out.'}
    </p>
  );
}

/** Describes the period of the figures and the chart. */
function describeSpan({ plot, filter }: ActivityView): string {
  const [first, last] = [plot.buckets[0] ?? '', plot.buckets.at(-1) ?? ''];
  const days = `${formatBucket(first, 'long')} to ${formatBucket(last, 'long')}`;
  const isLimited = filter.from === undefined && filter.to === undefined;
  return isLimited
    ? `The last ${plot.buckets.length} days (${days}). The list below goes back further.`
    : days;
}

function Figure({ n, word }: { n: number; word: string }) {
  return (
    <div>
      <b>{formatCount(n)}</b> <span>{word}</span>
    </div>
  );
}

function Filter({ view }: { view: ActivityView }) {
  const { filter, choices } = view;
  const outcomes = [
    { value: 'ok', label: 'Answered' },
    { value: 'refused', label: 'Refused' },
  ];
  return (
    <details class="card" open={isFiltered(filter)}>
      <summary>
        <h2>Filter</h2>
        <span class="end muted">{describeFilter(view)}</span>
      </summary>
      <form class="filter" method="get" action="/dashboard/activity">
        <Select name="app" label="App" any="All apps" choices={choices.apps} chosen={filter.app} />
        <Select
          name="tool"
          label="Tool"
          any="Reads and events"
          choices={choices.tools}
          chosen={filter.tool}
        />
        <Select
          name="connection"
          label="Connection"
          any="All connections"
          choices={choices.connections}
          chosen={filter.connection}
        />
        <Select name="outcome" label="Result" any="All results" choices={outcomes} chosen={filter.outcome} />
        <div class="field">
          <label for="from">From</label>
          <input id="from" type="date" name="from" value={filter.from ?? ''} />
        </div>
        <div class="field">
          <label for="to">To</label>
          <input id="to" type="date" name="to" value={filter.to ?? ''} />
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Show
          </button>
          {isFiltered(filter) && (
            <a class="button quiet" href="/dashboard/activity">
              Clear
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

function isFiltered(filter: ActivityView['filter']): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Describes the active filter. */
function describeFilter({ filter, choices }: ActivityView): string {
  const label = (list: readonly Choice[], value: string | undefined) =>
    list.find((choice) => choice.value === value)?.label ?? value;
  const days =
    filter.from === undefined
      ? filter.to === undefined
        ? undefined
        : `until ${formatBucket(filter.to, 'long')}`
      : filter.to === undefined
        ? `since ${formatBucket(filter.from, 'long')}`
        : `${formatBucket(filter.from, 'long')} to ${formatBucket(filter.to, 'long')}`;
  const parts = [
    label(choices.apps, filter.app) ?? 'All apps',
    label(choices.tools, filter.tool),
    label(choices.connections, filter.connection),
    filter.outcome === 'ok' ? 'answered' : filter.outcome,
    days,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function Select(props: {
  name: string;
  label: string;
  any: string;
  choices: readonly Choice[];
  chosen: string | undefined;
}) {
  const { name, label, any, choices, chosen } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{any}</option>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === chosen}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Rows({ view }: { view: ActivityView }) {
  if (view.rows.length === 0) {
    return (
      <Empty title="No activity">
        <p>
          {!isFiltered(view.filter) ? 'No app has read anything yet.' : 'No activity matches this filter.'}
        </p>
      </Empty>
    );
  }
  return (
    <div class="stack-gap">
      <div class="card">
        <Reads rows={view.rows} zone={view.time_zone} withApp={true} />
      </div>
      <div class="spread">
        <p class="buttons">
          {view.next_before !== null && (
            <a
              class="button"
              href={withQuery('/dashboard/activity', { ...view.filter, before: view.next_before })}
            >
              Older
            </a>
          )}
          <a class="button quiet" href={withQuery('/dashboard/activity.csv', { ...view.filter })} download>
            Download CSV
          </a>
        </p>
        {view.filter.app === undefined && (
          <p class="muted small">
            Your own reads are hidden. <a href="/dashboard/activity?app=owner">Show them</a>
          </p>
        )}
      </div>
    </div>
  );
}
