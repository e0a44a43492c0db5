import type { Kind } from '../../../support/granted-sources.ts';
import { isScalar, Refusal, readFilter } from './oracle-filter.ts';
import { readFilterOf } from './oracle-named.ts';
import { fieldValue, type Row, relationsOf, type View } from './oracle-scope.ts';
import { type Clocks, clockOffset, compareValues, showValue, type Value } from './oracle-values.ts';

type Metric = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';
export type Interval = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'weekday' | 'hour_of_day';

interface AggregateArguments {
  metric?: Metric;
  field?: string;
  group_by?: string[];
  interval?: Interval;
  time_zone?: string;
  filter?: unknown;
  ranges?: Record<string, unknown>;
  sort?: 'value' | '-value' | 'group' | '-group';
  limit?: number;
}

interface Group {
  by: (Value | undefined)[];
  rows: Row[];
  value: Value | undefined;
}

const DEFAULT_GROUPS = 20;
const MAX_GROUPS = 200;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const NUMERIC = new Set<Kind>(['integer', 'number']);
const TIMES = new Set<Kind>(['date-time', 'date']);

export function aggregate(
  views: readonly View[],
  all: readonly View[],
  args: AggregateArguments,
  zone: string,
) {
  const { metric = 'count', field } = args;
  const clocks = { stored: zone, shown: args.time_zone ?? zone };
  const named = new Groupings(views, all, zone);
  checkArguments(views, all, named, args, clocks);
  const rows = views.flatMap((view) => {
    const test = readFilterOf(args.filter, view, all, clocks);
    return view.rows.filter((row) => test(row.data));
  });
  const kind = (views[0] as View).kinds[field ?? ''] as Kind;
  const measure = (some: readonly Row[]) => measureRows(some, metric, field, zone);
  const show = (value: Value | undefined) =>
    metric === 'min' || metric === 'max' ? showValue(kind, value, clocks.shown) : (value ?? null);
  const isTimed = args.interval !== undefined || args.ranges !== undefined;
  const name = isTimed ? timeOf(views[0] as View, args) : args.group_by?.[0];
  const beside = isTimed ? besideTime(views[0] as View, args) : [];
  if (args.ranges !== undefined) {
    const tests = Object.entries(args.ranges).map(
      ([range, test]) =>
        [range, readFilter({ [name as string]: test }, (views[0] as View).kinds, clocks)] as const,
    );
    const inside = tests.map(([range, test]) => [range, rows.filter((row) => test(row.data))] as const);
    if (beside.length > 0) {
      const { ranges: _, ...plain } = { ...args, group_by: beside };
      const each = inside.map(([range, some]) => ({ range, ...expectGroups(some, plain, beside[0], []) }));
      return {
        ranges: each.map(({ groups: _, ...whole }) => whole),
        groups: each.flatMap(({ range, groups = [] }) => groups.map((group) => ({ range, ...group }))),
      };
    }
    return {
      groups: inside.map(([range, some]) => ({
        range,
        value: show(measure(some)),
        ...(metric === 'count' ? {} : { records: some.length }),
      })),
    };
  }
  return expectGroups(rows, args, name, beside);

  function expectGroups(
    rows: readonly Row[],
    args: AggregateArguments,
    name: string | undefined,
    beside: readonly string[],
  ): ExpectedGroups {
    const adds = ['count', 'count_distinct', 'sum'].includes(metric);
    const whole = { [adds ? 'total' : 'value']: show(measure(rows)), records: rows.length };
    if (name === undefined) return whole;

    const clock = named.kind(name) === 'date' ? 'UTC' : clocks.shown;
    const groups = makeGroups(rows, args, [name, ...beside], clock, named).map((group) => ({
      ...group,
      value: measure(group.rows),
    }));
    const isPlain = beside.length === 0 && args.interval !== 'weekday' && args.interval !== 'hour_of_day';
    const most = args.interval === undefined || isPlain ? DEFAULT_GROUPS : MAX_GROUPS;
    const shown = orderGroups(groups, { ...args, limit: args.limit ?? most }, kind);
    const taken = new Set(shown.flatMap((group) => group.rows));
    const rest = rows.filter((row) => !taken.has(row));
    const inTime = args.interval !== undefined && isPlain && args.sort?.endsWith('value') !== true;
    const names = args.interval === undefined ? (args.group_by as string[]) : [name, ...beside];
    return {
      ...whole,
      groups: shown.map((group) => ({
        ...Object.fromEntries(
          names.map((one, at) => [
            one,
            args.interval === undefined || at > 0
              ? showValue(named.kind(one) as Kind, group.by[at], clocks.shown)
              : bucketName(group.by[0] as number, args.interval, clock),
          ]),
        ),
        value: show(group.value),
        ...(metric === 'count' ? {} : { records: group.rows.length }),
      })),
      other:
        rest.length === 0
          ? undefined
          : {
              // In order of time the earlier intervals are not counted, only what they hold.
              groups: inTime && groups.length > shown.length ? undefined : groups.length - shown.length,
              records: rest.length,
              value: metric === 'count' || metric === 'sum' ? measure(rest) : undefined,
            },
    };
  }
}

interface ExpectedGroups {
  readonly records: number;
  readonly groups?: readonly object[];
  readonly other?: object | undefined;
}

/** The time that intervals and ranges are of: the first that is named, else the stream's own. */
function timeOf(view: View, args: AggregateArguments): string | undefined {
  return args.group_by?.find((name) => isTimeOf(view, name)) ?? view.timeField;
}

/** What is named beside the time. */
function besideTime(view: View, args: AggregateArguments): string[] {
  const time = args.group_by?.find((name) => isTimeOf(view, name));
  return (args.group_by ?? []).filter((name) => name !== time);
}

const isTimeOf = (view: View, name: string) =>
  Object.hasOwn(view.kinds, name) && TIMES.has(view.kinds[name] as Kind);

/** What records can be grouped by: fields of theirs, of the one record they point to, and their connection. */
class Groupings {
  readonly #views: readonly View[];
  readonly #all: readonly View[];
  readonly #zone: string;

  constructor(views: readonly View[], all: readonly View[], zone: string) {
    this.#views = views;
    this.#all = all;
    this.#zone = zone;
  }

  kind(name: string, view = this.#views[0] as View): Kind | undefined {
    if (Object.hasOwn(view.kinds, name)) return view.kinds[name];
    if (name === 'connection_id') return 'string';
    const found = this.#relation(name, view);
    return found && Object.hasOwn(found.target.kinds, found.field)
      ? found.target.kinds[found.field]
      : undefined;
  }

  value(row: Row, name: string): Value | undefined {
    if (Object.hasOwn(row.view.kinds, name)) return fieldValue(row, name, this.#zone);
    if (name === 'connection_id') return row.view.place.connection;
    const found = this.#relation(name, row.view);
    const target = found?.target.rows.find((one) => one.key === row.data[found.key]);
    return target && fieldValue(target, found?.field as string, this.#zone);
  }

  #relation(name: string, view: View) {
    for (const { relation, target } of relationsOf(view, this.#all))
      if (relation.cardinality === 'has_one' && name.startsWith(`${relation.name}.`))
        return { key: relation.foreign_key, target, field: name.slice(relation.name.length + 1) };
    return undefined;
  }
}

function checkArguments(
  views: readonly View[],
  all: readonly View[],
  named: Groupings,
  args: AggregateArguments,
  clocks: Clocks,
): void {
  const { metric = 'count', field } = args;
  const refused = new Set<string>();
  if ((metric === 'count') !== (field === undefined)) refused.add('invalid_argument');
  const isTimed = args.interval !== undefined || args.ranges !== undefined;
  if (args.interval !== undefined && args.ranges !== undefined) refused.add('invalid_argument');
  const time = isTimed ? timeOf(views[0] as View, args) : undefined;
  if (isTimed && time === undefined) refused.add('invalid_argument');
  const others = isTimed ? besideTime(views[0] as View, args) : (args.group_by ?? []);
  if (isTimed && others.length > 1) refused.add('invalid_argument');
  if (args.interval === 'hour_of_day' && time !== undefined && views[0]?.kinds[time] === 'date')
    refused.add('invalid_argument');
  for (const view of views) {
    const need = (name: string | undefined, can: (kind: Kind) => boolean) => {
      if (name === undefined) return;
      const kind = Object.hasOwn(view.kinds, name) ? view.kinds[name] : undefined;
      if (kind === undefined) refused.add('unknown_field');
      else if (!can(kind)) refused.add('unsupported_field');
    };
    if (metric !== 'count') need(field, (kind) => canMeasure(metric, kind));
    if (isTimed) need(time, (kind) => TIMES.has(kind));
    for (const name of others) {
      const kind = named.kind(name, view);
      if (kind === undefined) refused.add('unknown_field');
      else if (!isScalar(kind))
        refused.add(Object.hasOwn(view.kinds, name) ? 'unsupported_field' : 'unknown_field');
    }
    try {
      readFilterOf(args.filter, view, all, clocks);
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
  [name, ...beside]: readonly [string, ...string[]],
  clock: string,
  named: Groupings,
): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const by =
      args.interval === undefined
        ? (args.group_by as string[]).map((one) => named.value(row, one))
        : [
            bucketOf(named.value(row, name), args.interval, clock),
            ...beside.map((one) => named.value(row, one)),
          ];
    // By time there is no group for records without one.
    if (args.interval !== undefined && by[0] === undefined) continue;
    const key = JSON.stringify(by.map((value) => [typeof value, String(value)]));
    const group = groups.get(key) ?? { by, rows: [], value: undefined };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * The first groups by value downwards unless told otherwise, or upwards where numbers are measured and none is above
 * zero; equal values by group upwards; by time the latest.
 */
function orderGroups(groups: readonly Group[], args: AggregateArguments, kind: Kind | undefined): Group[] {
  const { limit = DEFAULT_GROUPS } = args;
  const measured = groups.map((group) => group.value).filter((value) => value !== undefined);
  const isBelow = measured.length > 0 && measured.every((value) => compareValues(value, 0) <= 0);
  if (args.sort === undefined && args.interval === undefined && NUMERIC.has(kind as Kind) && isBelow)
    return [
      ...orderGroups(
        groups.filter((group) => group.value !== undefined),
        { ...args, sort: 'value', limit: groups.length },
        kind,
      ),
      ...orderGroups(
        groups.filter((group) => group.value === undefined),
        { ...args, sort: 'group', limit: groups.length },
        kind,
      ),
    ].slice(0, limit);
  const sort = args.sort ?? (args.interval === undefined ? '-value' : 'group');
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
    case 'weekday':
      return (date.getUTCDay() + 6) % 7;
    case 'hour_of_day':
      return date.getUTCHours();
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
  if (interval === 'weekday') return WEEKDAYS[bucket] as string;
  if (interval === 'hour_of_day') return `${String(bucket).padStart(2, '0')}:00`;
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
