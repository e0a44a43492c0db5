import type { Kind } from '../../support/granted-sources.ts';
import { isScalar, Refusal, readFilter } from './oracle-filter.ts';
import { fieldValue, type Row, type View } from './oracle-scope.ts';
import { clockOffset, compareValues, showValue, type Value } from './oracle-values.ts';

type Metric = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';
export type Interval = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

interface AggregateArguments {
  metric?: Metric;
  field?: string;
  group_by?: string[];
  interval?: Interval;
  time_zone?: string;
  filter?: unknown;
  sort?: 'value' | '-value' | 'group' | '-group';
  limit?: number;
}

interface Group {
  by: (Value | undefined)[];
  rows: Row[];
  value: Value | undefined;
}

const DEFAULT_GROUPS = 20;
const NUMERIC = new Set<Kind>(['integer', 'number']);
const TIMES = new Set<Kind>(['date-time', 'date']);

export function aggregate(views: readonly View[], args: AggregateArguments, zone: string) {
  const { metric = 'count', field } = args;
  checkArguments(views, args);
  const rows = views.flatMap((view) => {
    const test = readFilter(args.filter, view.kinds, zone);
    return view.rows.filter((row) => test(row.data));
  });
  const kind = (views[0] as View).kinds[field ?? ''] as Kind;
  const measure = (some: readonly Row[]) => measureRows(some, metric, field, zone);
  const show = (value: Value | undefined) =>
    metric === 'min' || metric === 'max' ? showValue(kind, value) : (value ?? null);
  const whole = { total: show(measure(rows)), records: rows.length };
  const name = args.group_by?.[0] ?? (args.interval === undefined ? undefined : (views[0] as View).timeField);
  if (name === undefined) return whole;

  const kinds = (views[0] as View).kinds;
  const clock = kinds[name] === 'date' ? 'UTC' : (args.time_zone ?? zone);
  const groups = makeGroups(rows, args, name, clock, zone).map((group) => ({
    ...group,
    value: measure(group.rows),
  }));
  const shown = orderGroups(groups, args);
  const taken = new Set(shown.flatMap((group) => group.rows));
  const rest = rows.filter((row) => !taken.has(row));
  const inTime = args.interval !== undefined && args.sort?.endsWith('value') !== true;
  const names = args.interval === undefined ? (args.group_by as string[]) : [name];
  return {
    ...whole,
    groups: shown.map((group) => ({
      ...Object.fromEntries(
        names.map((one, at) => [
          one,
          args.interval === undefined
            ? showValue(kinds[one] as Kind, group.by[at])
            : bucketName(group.by[0] as number, args.interval, clock),
        ]),
      ),
      value: show(group.value),
      ...(metric === 'count' ? {} : { records: group.rows.length }),
    })),
    other: {
      // In order of time the earlier intervals are not counted, only what they hold.
      groups: inTime && groups.length > shown.length ? undefined : groups.length - shown.length,
      records: rest.length,
      value: metric === 'count' || metric === 'sum' ? measure(rest) : undefined,
    },
  };
}

function checkArguments(views: readonly View[], args: AggregateArguments): void {
  const { metric = 'count', field } = args;
  const refused = new Set<string>();
  if ((metric === 'count') !== (field === undefined)) refused.add('invalid_argument');
  if (args.interval !== undefined && args.group_by === undefined && views[0]?.timeField === undefined)
    refused.add('invalid_argument');
  if (args.interval !== undefined && (args.group_by?.length ?? 0) > 1) refused.add('invalid_argument');
  for (const view of views) {
    const need = (name: string | undefined, can: (kind: Kind) => boolean) => {
      if (name === undefined) return;
      const kind = Object.hasOwn(view.kinds, name) ? view.kinds[name] : undefined;
      if (kind === undefined) refused.add('unknown_field');
      else if (!can(kind)) refused.add('unsupported_field');
    };
    if (metric !== 'count') need(field, (kind) => canMeasure(metric, kind));
    if (args.interval === undefined) for (const name of args.group_by ?? []) need(name, isScalar);
    else need(args.group_by?.[0] ?? views[0]?.timeField, (kind) => TIMES.has(kind));
    try {
      readFilter(args.filter, view.kinds, 'UTC');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const code of error.codes) refused.add(code);
    }
  }
  if (refused.size > 0) throw new Refusal(...refused);
}

function canMeasure(metric: Metric, kind: Kind): boolean {
  if (metric === 'count_distinct') return isScalar(kind);
  if (metric === 'sum' || metric === 'avg') return NUMERIC.has(kind);
  return NUMERIC.has(kind) || TIMES.has(kind);
}

/** Records without a value count as records and add nothing. */
function measureRows(
  rows: readonly Row[],
  metric: Metric,
  field: string | undefined,
  zone: string,
): Value | undefined {
  if (metric === 'count') return rows.length;
  const values = rows
    .map((row) => fieldValue(row, field as string, zone))
    .filter((value) => value !== undefined);
  const sorted = [...values].sort(compareValues);
  // Whole numbers are added exactly, whatever comes between.
  const whole = values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
  const sum = whole
    ? Number(values.reduce<bigint>((total, value) => total + BigInt(value), 0n))
    : values.reduce<number>((total, value) => total + Number(value), 0);
  switch (metric) {
    case 'count_distinct':
      return new Set(values.map(String)).size;
    case 'sum':
      return sum;
    case 'avg':
      return values.length === 0 ? undefined : sum / values.length;
    case 'min':
      return sorted[0];
    case 'max':
      return sorted.at(-1);
  }
}

function makeGroups(
  rows: readonly Row[],
  args: AggregateArguments,
  name: string,
  clock: string,
  zone: string,
): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const by =
      args.interval === undefined
        ? (args.group_by as string[]).map((one) => fieldValue(row, one, zone))
        : [bucketOf(fieldValue(row, name, zone), args.interval, clock)];
    // By time there is no group for records without one.
    if (args.interval !== undefined && by[0] === undefined) continue;
    const key = JSON.stringify(by.map((value) => [typeof value, String(value)]));
    const group = groups.get(key) ?? { by, rows: [], value: undefined };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The first groups by value downwards unless told otherwise, equal values by group upwards; by time the latest. */
function orderGroups(groups: readonly Group[], args: AggregateArguments): Group[] {
  const { limit = DEFAULT_GROUPS, sort = args.interval === undefined ? '-value' : 'group' } = args;
  const sign = sort.startsWith('-') ? -1 : 1;
  const compareGroups = (a: Group, b: Group) =>
    a.by.map((value, at) => compareValues(value, b.by[at])).find((order) => order !== 0) ?? 0;
  const sorted = sort.endsWith('value')
    ? groups.toSorted((a, b) => sign * compareValues(a.value, b.value) || compareGroups(a, b))
    : groups.toSorted((a, b) => sign * compareGroups(a, b));
  return sort === 'group' && args.interval !== undefined ? sorted.slice(-limit) : sorted.slice(0, limit);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A bucket as what the clock shows when it begins; hours also carry their offset, since one can come twice. */
function bucketOf(time: Value | undefined, interval: Interval, clock: string): number | undefined {
  if (typeof time !== 'number') return undefined;
  if (interval === 'hour')
    return Math.floor((time + clockOffset(time, clock)) / HOUR) * HOUR - clockOffset(time, clock);
  const date = new Date(time + clockOffset(time, clock));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = Math.floor(date.getTime() / DAY) * DAY;
  switch (interval) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7) * DAY;
    case 'month':
      return Date.UTC(year, month);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'year':
      return Date.UTC(year, 0);
  }
}

function bucketName(bucket: number, interval: Interval, clock: string): string {
  if (interval === 'hour') {
    const offset = clockOffset(bucket, clock);
    const text = new Date(bucket + offset).toISOString().slice(0, 16);
    const minutes = Math.abs(offset) / 60_000;
    const two = (value: number) => String(value).padStart(2, '0');
    const sign = offset < 0 ? '-' : '+';
    return offset === 0 ? `${text}Z` : `${text}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  }
  const text = new Date(bucket).toISOString();
  switch (interval) {
    case 'year':
      return text.slice(0, 4);
    case 'quarter':
      return `${text.slice(0, 4)}-Q${new Date(bucket).getUTCMonth() / 3 + 1}`;
    case 'month':
      return text.slice(0, 7);
    default:
      return text.slice(0, 10);
  }
}
