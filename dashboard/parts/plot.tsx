import { formatBucket } from './bucket-name.ts';
import { formatCount } from './layout.tsx';

export interface Series {
  readonly name: string;
  /** One value per label. */
  readonly values: readonly number[];
}

interface DrawnSeries extends Series {
  readonly color: string;
}

const HEIGHT = 200;
/** Space above the bars for the number of the top line, and below them for the labels. */
const TOP = 18;
const BOTTOM = 22;
const MAX_SERIES = 8;
const MAX_LABELS = 4;

/**
 * Stacked bars over time. Widths are in percent and heights in pixels, so that text does not stretch.
 */
export function BarsOverTime(props: {
  title: string;
  /** The unit of the values, in the singular. */
  unit: string;
  /** Names of time buckets such as 2026-11-16, 2026-11, 2026-Q4 or 2026; any other text is shown as it is. */
  labels: readonly string[];
  /** Shorter labels for the axis. */
  shortLabels?: readonly string[];
  series: readonly Series[];
  /** The heading of the first column in the table of numbers. */
  per?: string;
  /** A note after the total, for example about records that are not shown. */
  note?: string | undefined;
  /** Returns the link of a bar, from the name of its bucket. */
  hrefOf?: ((label: string) => string) | undefined;
}) {
  const { title, unit, per = 'Time', note, hrefOf } = props;
  const labels = props.labels.map((label) => formatBucket(label, 'long'));
  // A series without values in this period gets no colour.
  const series = foldSmallSeries(props.series.filter(({ values }) => sum(values) > 0));
  const totals = labels.map((_, i) => sum(series.map(({ values }) => values[i] ?? 0)));
  const total = sum(totals);
  const top = roundUp(Math.max(1, ...totals));
  const summary = `${formatCount(total, unit)}, ${labels[0] ?? ''} to ${labels.at(-1) ?? ''}${note === undefined ? '' : `; ${note}`}`;
  return (
    <figure class="plot">
      <figcaption>
        <b>{title}</b> <span class="muted">{summary}</span>
      </figcaption>
      {/* A chart with links is a group, not an image. */}
      <svg
        width="100%"
        height={HEIGHT}
        role={hrefOf === undefined ? 'img' : 'group'}
        aria-label={`${title}: ${summary}`}
      >
        <Grid top={top} />
        {totals.map((n, i) => (
          <Bar
            at={i}
            of={labels.length}
            top={top}
            series={series}
            tip={describeBar(labels[i] ?? '', n, i)}
            href={n === 0 ? undefined : hrefOf?.(props.labels[i] ?? '')}
          />
        ))}
        <TimeLabels labels={props.shortLabels ?? props.labels.map((label) => formatBucket(label, 'short'))} />
      </svg>
      {series.length > 1 && <Legend series={series} />}
      <Numbers per={per} labels={labels} series={series} totals={totals} />
    </figure>
  );

  function describeBar(label: string, n: number, at: number): string {
    const parts = series.filter(({ values }) => (values[at] ?? 0) > 0);
    const lines = parts.map(({ name, values }) => `${name}: ${formatCount(values[at] ?? 0)}`);
    return [`${label}: ${formatCount(n, unit)}`, ...(series.length > 1 ? lines : [])].join('\n');
  }
}

function Grid({ top }: { top: number }) {
  const lines = [top, ...(top % 2 === 0 ? [top / 2] : []), 0];
  return (
    <g>
      {lines.map((value) => {
        const y = yOf(value, top);
        return (
          <>
            <line class="grid" x1="0" x2="100%" y1={y} y2={y} />
            {value > 0 && (
              <text x="0" y={y - 5}>
                {formatCount(value)}
              </text>
            )}
          </>
        );
      })}
    </g>
  );
}

function Bar(props: {
  at: number;
  of: number;
  top: number;
  series: readonly DrawnSeries[];
  tip: string;
  href: string | undefined;
}) {
  const { at, of, top, series, tip, href } = props;
  const slot = 100 / of;
  const width = percent(slot * (of > 60 ? 0.9 : 0.76));
  const x = percent(slot * at + (slot * (of > 60 ? 0.1 : 0.24)) / 2);
  let below = 0;
  const drawn = (
    <g class="bar">
      <title>{tip}</title>
      <rect class="hit" x={percent(slot * at)} width={percent(slot)} y="0" height={HEIGHT - BOTTOM} />
      {series.map(({ values, color }) => {
        const value = values[at] ?? 0;
        if (value <= 0) return null;
        const y = yOf(below + value, top);
        const height = Math.max(yOf(below, top) - y, 1);
        below += value;
        return <rect class={color} x={x} width={width} y={round(y)} height={round(height)} />;
      })}
    </g>
  );
  if (href === undefined) return drawn;
  return (
    <a href={href} aria-label={tip.replaceAll('\n', ', ')}>
      {drawn}
    </a>
  );
}

function TimeLabels({ labels }: { labels: readonly string[] }) {
  const last = labels.length - 1;
  const shown = Math.min(labels.length, MAX_LABELS);
  const indexes = Array.from({ length: shown }, (_, i) => Math.round((last * i) / Math.max(1, shown - 1)));
  return (
    <g>
      {indexes.map((at) => {
        const anchor = labels.length === 1 ? 'middle' : at === 0 ? 'start' : at === last ? 'end' : 'middle';
        const x = { start: 0, middle: ((at + 0.5) / labels.length) * 100, end: 100 }[anchor];
        return (
          <text x={percent(x)} y={HEIGHT - 4} text-anchor={anchor}>
            {labels[at]}
          </text>
        );
      })}
    </g>
  );
}

function Legend({ series }: { series: readonly DrawnSeries[] }) {
  return (
    <ul class="legend">
      {series.map(({ name, values, color }) => (
        <li>
          <i class={color} />
          {name} <span class="count">{formatCount(sum(values))}</span>
        </li>
      ))}
    </ul>
  );
}

/** The same data as a table, for people who cannot see the bars or want exact numbers. */
function Numbers(props: {
  per: string;
  labels: readonly string[];
  series: readonly Series[];
  totals: readonly number[];
}) {
  const { per, labels, series, totals } = props;
  const columns = series.length > 1 ? [...series, { name: 'Total', values: totals }] : series;
  return (
    <details class="more">
      <summary>Show numbers</summary>
      <div class="scroll" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{per}</th>
              {columns.map(({ name }) => (
                <th scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, i) => (
              <tr>
                <th scope="row">{label}</th>
                {columns.map(({ values }) => (
                  <td class="number">{formatCount(values[i] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** A table with a horizontal bar per row. */
export function Bars(props: {
  /** Also names the unit of the values. */
  title: string;
  rows: readonly { name: string; value: number; href?: string | undefined }[];
}) {
  const { title, rows } = props;
  const top = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <table class="lengths">
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ name, value, href }) => (
          <tr>
            <th scope="row">{href === undefined ? name : <a href={href}>{name}</a>}</th>
            <td class="length">
              <svg width="100%" height="10" aria-hidden="true">
                <rect class="series-0" width={percent((value / top) * 100)} height="10" rx="3" />
              </svg>
            </td>
            <td class="number">{formatCount(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A sparkline: a chart in a line of text. */
export function Spark({ title, values }: { title: string; values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const slot = 100 / Math.max(1, values.length);
  return (
    <svg class="spark" width="96" height="24" role="img" aria-label={`${title}: ${values.join(', ')}`}>
      <title>{title}</title>
      {values.map((value, i) => {
        const height = value <= 0 ? 1 : Math.max(2, round((value / top) * 24));
        return (
          <rect
            class={value <= 0 ? 'none' : 'series-0'}
            x={percent(slot * i)}
            width={percent(slot * 0.75)}
            y={24 - height}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** Merges the smallest series into one if there are too many to distinguish by colour. */
function foldSmallSeries(series: readonly Series[]): readonly DrawnSeries[] {
  const drawn = (one: Series, i: number) => ({ ...one, color: `series-${i}` });
  if (series.length <= MAX_SERIES) return series.map(drawn);
  const bySize = [...series].sort((a, b) => sum(b.values) - sum(a.values));
  const rest = bySize.slice(MAX_SERIES - 1);
  const length = Math.max(...rest.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, i) => sum(rest.map((one) => one.values[i] ?? 0)));
  const others = { name: `${rest.length} others`, values, color: 'series-other' };
  return [...bySize.slice(0, MAX_SERIES - 1).map(drawn), others];
}

/** Rounds up to one digit and zeros, for the top line of the grid. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

function yOf(value: number, top: number): number {
  return TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
}

function percent(value: number): string {
  return `${round(value)}%`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
