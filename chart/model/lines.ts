import type { Lines, Panel, Point } from './chart.ts';
import { formatShort, formatValue } from './format-value.ts';
import type { Data, Fields } from './result.ts';
import { createScale, listTicks, type Scale } from './scale.ts';
import { formatBucket, nextBucket, parseBucket } from './time-steps.ts';

const MAX_PANELS = 8;

interface Measured {
  readonly at: number;
  readonly size: number;
  readonly text: string;
}

interface Options {
  /** The field that is grouped after the time. Each of its values has a panel. */
  readonly series: string | undefined;
  /** Whether the values of panels are of different units. */
  readonly hasUnits: boolean;
  readonly locale: string | undefined;
  readonly nameOf: (group: Fields) => string;
}

/** Returns lines over time; undefined if there are too few points, too many panels, or values that are not numbers. */
export function makeLines(data: Data, interval: string, options: Options): Lines | undefined {
  const time = data.groupBy[0] ?? '';
  const panels = groupPanels(data, time, options);
  const labels = new Map(data.groups.map((group) => [parseBucket(group[time]), String(group[time])]));
  const times = [...labels.keys()].sort((a, b) => Number(a) - Number(b));
  if (panels === undefined || times.includes(undefined) || times.length < 2) return undefined;
  if (panels.length === 0 || panels.length > MAX_PANELS) return undefined;
  const axis = { interval, times: times as number[], isAdditive: /^(count|sum)$/.test(data.metric) };
  const scaleOf = (points: readonly Measured[]) =>
    createScale(
      points.map(({ size }) => size),
      axis.isAdditive,
    );
  const common = scaleOf(panels.flatMap(({ points }) => points));
  const xOf = createScale(axis.times, false).at;
  return {
    unit: interval,
    steps: axis.times.map((at) => ({
      label: formatBucket(labels.get(at) as string, interval, options.locale),
      x: xOf(at) * 100,
    })),
    panels: panels.map(({ name, points }) => ({
      ...(options.series === undefined ? {} : { name }),
      ...makePanel(points, axis, xOf, options.hasUnits ? scaleOf(points) : common, options.locale),
    })),
  };
}

/** Groups the points by panel, oldest first. Undefined if a value is not a number. A missing value is a gap. */
function groupPanels({ groups }: Data, time: string, { series, nameOf, locale }: Options) {
  const panels = new Map<string, { name: string; points: Measured[] }>();
  for (const group of groups) {
    if (group.value === null) continue;
    const { text, size } = formatValue(group.value, locale);
    const at = parseBucket(group[time]);
    if (size === undefined || at === undefined) return undefined;
    // Two keys may have the same name.
    const key = series === undefined ? '' : JSON.stringify(group[series]);
    const panel = panels.get(key) ?? { name: series === undefined ? '' : nameOf(group), points: [] };
    panel.points.push({ at, size, text });
    panels.set(key, panel);
  }
  for (const { points } of panels.values()) points.sort((a, b) => a.at - b.at);
  return [...panels.values()];
}

interface Axis {
  readonly interval: string;
  readonly times: readonly number[];
  /** Whether an interval without records is zero, as for counts and sums. */
  readonly isAdditive: boolean;
}

function makePanel(
  points: readonly Measured[],
  axis: Axis,
  xOf: (at: number) => number,
  scale: Scale,
  locale: string | undefined,
): Omit<Panel, 'name'> {
  const place = (at: number, size: number): Point => ({ x: xOf(at) * 100, y: (1 - scale.at(size)) * 100 });
  const byTime = new Map(points.map((point) => [point.at, point]));
  return {
    segments: connect(points, axis).map((segment) => segment.map(([at, size]) => place(at, size))),
    values: axis.times.map((at) => {
      const point = byTime.get(at);
      return point && { text: point.text, y: place(at, point.size).y };
    }),
    ticks: listTicks(scale).map((value) => ({
      text: formatShort(value, locale),
      y: (1 - scale.at(value)) * 100,
    })),
  };
}

type Placed = readonly [at: number, size: number];

/** Connects neighbouring intervals. Over a gap, counts and sums fall to zero and other lines end. */
function connect(points: readonly Measured[], { interval, times, isAdditive }: Axis): Placed[][] {
  const segments: Placed[][] = [];
  let last: Measured | undefined;
  for (const point of points) {
    const segment = segments.at(-1);
    const next = last === undefined ? undefined : nextBucket(last.at, interval);
    const follows = next !== undefined && next >= point.at;
    if (segment === undefined || next === undefined || (!follows && !isAdditive)) {
      segments.push([[point.at, point.size]]);
    } else {
      // The gap ends one interval before the point, and begins one after the last.
      if (!follows) segment.push([next, 0], [Math.max(next, point.at - (next - (last as Measured).at)), 0]);
      segment.push([point.at, point.size]);
    }
    last = point;
  }
  return isAdditive ? segments.map((segment) => extend(segment, times, interval)) : segments;
}

/** Continues a line of counts or sums with zero to both ends of the axis. */
function extend(segment: readonly Placed[], times: readonly number[], interval: string): Placed[] {
  const [first, last] = [segment[0] as Placed, segment.at(-1) as Placed];
  const [start, end] = [times[0] as number, times.at(-1) as number];
  const step = nextBucket(first[0], interval) - first[0];
  const before: Placed[] =
    first[0] > start
      ? [
          [start, 0],
          [Math.max(start, first[0] - step), 0],
        ]
      : [];
  const after: Placed[] =
    last[0] < end
      ? [
          [Math.min(end, nextBucket(last[0], interval)), 0],
          [end, 0],
        ]
      : [];
  return [...before, ...segment, ...after];
}
