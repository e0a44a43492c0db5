import type { BoundRecord } from '../../../../src/store/long-value.ts';
import type {
  GroupColumn,
  GroupOrder,
  MeasuredPart,
  MetricRequest,
  PageRequest,
  RecordReads,
  TimeParts,
} from '../../../../src/store/record-reads.ts';
import type { FieldRef, Scope } from '../../../../src/store/scope.ts';
import { formatMean, formatSum, isSum } from '../../../../src/store/sum.ts';
import type { Draw } from '../../../support/draw.ts';
import {
  drawConditions,
  drawScope,
  drawValue,
  fields,
  KEYS,
  streams,
  TEXTS,
  TIMES,
  zoneOffsets,
} from './draw-mirror.ts';
import type { Side } from './mirror-stores.ts';

/** A read, with the arguments that it was drawn with. */
export type Read = readonly [name: string, args: unknown, run: (side: Side) => Promise<unknown>];

const ref = (name: string) => fields.get(name) as FieldRef;

/** Draws one read of each kind. */
export function drawReads(draw: Draw, since: number): Read[] {
  const stream = draw.pick(streams);
  const scope = drawScope(draw, stream);
  const conditions = drawConditions(draw, scope);
  const slotted = scope.fieldNames.filter((name) => name !== 'body' && name !== 'tags').map(ref);
  const texts = slotted.filter(({ kind }) => kind === 'string');
  const reads: Read[] = [];
  const add = (name: string, args: unknown, run: (records: RecordReads, side: Side) => Promise<unknown>) =>
    reads.push([name, args, (side) => run(side.records, side)]);
  addPages(draw, scope, slotted, since, add);
  const key = draw.pick(KEYS);
  add('find', key, async (records) => bound(await records.find(scope, key, 'exact')));
  add('find prefix', key, async (records) => bound(await records.find(scope, key.slice(0, 1), 'prefix')));
  add('changes', since, async (records) => {
    const horizon = await records.horizon();
    const request = { since, horizon, afterKey: undefined, limit: 100 };
    return [horizon, await bound(await records.changes(scope, request))];
  });
  add('newest', scope, async (records) => {
    const rows = await records.newest([scope, drawnAll], 3);
    const found = await bound(await records.recordsAt([scope, drawnAll], rows));
    return [rows, found.map((row) => JSON.stringify(row)).sort()];
  });
  add('keys', scope, (records) => records.keys(scope, { after: key }, 5));
  add('known keys', scope, (records) => records.knownKeys(scope, KEYS));
  add('keys where', conditions, (records) => records.keysWhere(scope, conditions, 10));
  add('count', conditions, (records) => records.count(scope, conditions));
  add('count together', scope, (records) => records.countTogether([scope, drawnAll]));
  const period = [Date.parse(draw.pick(TIMES)), Date.parse(draw.pick(TIMES))] as const;
  add('count periods', period, (records) => records.countPeriods(scope, [period, [0, 4e12]]));
  add('count in a period', period, (records) => records.count(scope, [], { from: period[0] }));
  add('months', scope, (records) => records.months(scope));
  add('span', scope, (records) => records.span(scope));
  for (const field of slotted)
    add(`values of ${field.name}`, scope, (records) => records.values([scope], field, 20));
  for (const field of texts) {
    const text = draw.pick(TEXTS);
    add('values containing', text, (records) => records.valuesContaining([{ scope, field }], text, 10));
    add('values among', TEXTS, (records) => records.valuesAmong(scope, field, TEXTS));
    add('named', TEXTS, (records) => records.named(scope, field, TEXTS, 10));
    add('names', field, (records) => records.names(scope, field, KEYS));
    if (scope.fields.has('flag'))
      add('flagged authors', field, (records) =>
        records.flaggedAuthors([{ scope, flag: ref('flag'), authors: [field] }]),
      );
  }
  if (scope.fields.has('tags'))
    add('tags among', TEXTS, (records) => records.valuesAmong(scope, ref('tags'), TEXTS));
  if (scope.fields.has('body'))
    add('names in texts', KEYS, (records) => records.names(scope, ref('body'), KEYS));
  addMeasures(draw, scope, slotted, add);
  add('stored', KEYS, async (_, { stored }) => [
    [...(await stored.spans())],
    await stored.count(),
    [...(await stored.lastChanges())],
    [...(await stored.keyTimes(stream.streamId, KEYS))].sort(),
    [...(await stored.find(stream.streamId, KEYS)).records].sort(),
    [...(await stored.find(stream.streamId, KEYS)).deletions].sort(),
    (await stored.keysWithValue(stream.streamId, ['label', 'tags'])).sort(),
    await stored.isEmptyConnection('main'),
    await stored.countValue(stream, 'big', drawnBig),
    await stored.countValue(stream, 'label', 'a'),
  ]);
  return reads;
}

const drawnBig = 9_007_199_254_740_993n;
const drawnAll: Scope = {
  stream: streams[1] as Scope['stream'],
  fields: new Set(fields.keys()),
  fieldNames: [...fields.keys()],
  since: undefined,
  until: undefined,
  keys: undefined,
};

type Add = (name: string, args: unknown, run: (records: RecordReads) => Promise<unknown>) => void;

function addPages(draw: Draw, scope: Scope, sortable: readonly FieldRef[], since: number, add: Add): void {
  for (const field of [undefined, ...sortable]) {
    const conditions = drawConditions(draw, scope);
    const sort = { field, direction: draw.pick(['asc', 'desc'] as const) };
    const request: PageRequest = { conditions, sort, limit: 1 + draw.upTo(6) };
    const horizon = draw.chance(50) ? since : undefined;
    const after = {
      key: draw.pick(KEYS),
      value:
        field === undefined
          ? draw.pick(KEYS)
          : draw.chance(20) && field.name !== 'time'
            ? null
            : drawValue(draw, field),
      ties: draw.pick(['none', 'after-key', 'all'] as const),
    };
    add(`page by ${field?.name}`, request, async (records) => {
      const { rows, horizon } = await records.page(scope, request);
      return [await bound(rows), horizon];
    });
    add(`page by ${field?.name} after`, { request, horizon, after }, async (records) => {
      const { rows } = await records.page(scope, { ...request, limit: 20, after, horizon });
      return bound(rows);
    });
  }
}

function addMeasures(draw: Draw, scope: Scope, slotted: readonly FieldRef[], add: Add): void {
  const numbers = slotted.filter(({ kind }) => kind === 'number' || kind === 'integer');
  const groupable: GroupColumn[] = slotted.map((field) => ({ kind: 'own', field }));
  groupable.push({ kind: 'connection', field: { name: 'connection', kind: 'string' } });
  if (scope.fields.has('ref'))
    groupable.push({
      kind: 'related',
      field: draw.pick([ref('label'), ref('big')]),
      key: ref('ref'),
      target: drawnAll,
    });
  for (const metric of ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const) {
    const usable = metric === 'sum' || metric === 'avg' ? numbers : slotted;
    if (usable.length === 0) continue;
    const field = metric === 'count' ? undefined : draw.pick(usable);
    const conditions = drawConditions(draw, scope);
    const part = (groupBy: readonly GroupColumn[]): MeasuredPart => ({ scope, conditions, field, groupBy });
    const group = draw.pick(groupable);
    const order: GroupOrder = {
      by: draw.pick(['value', 'size', 'group']),
      direction: draw.pick(['asc', 'desc']),
    };
    const args = { metric, field, conditions, group, order };
    for (const summation of ['near', 'exact'] as const) {
      const request = { metric, summation };
      add(`total ${summation}`, args, async (records) =>
        show(request, await records.measures.total([part([])], request)),
      );
      add(`groups ${summation}`, args, async (records) => {
        const groups = await records.measures.groups([part([group])], request, order, 6);
        return showGroups(request, groups);
      });
      if (scope.fields.has('at')) {
        const at: GroupColumn = { kind: 'own', field: ref('at') };
        const time: TimeParts = draw.chance(30)
          ? { kind: 'edges', edges: [0, 1.7e12, 1.8e12, 4e12] }
          : { kind: draw.pick(['hour', 'day', 'week', 'weekday', 'hour_of_day']), offsets: zoneOffsets };
        add(`groups of time ${summation}`, { ...args, time }, async (records) => {
          const request = { metric, summation, time };
          return showGroups(request, await records.measures.groups([part([at])], request, order, 6));
        });
        add(`buckets ${summation}`, args, async (records) => {
          const buckets = await records.measures.buckets(
            [part([at])],
            { metric, summation },
            [0, 1.7e12, 1.8e12, 4e12],
          );
          return [...buckets].sort(([a], [b]) => a - b).map(([at, total]) => [at, show(request, total)]);
        });
        add(`mixed`, args, (records) => records.measures.isMixed([part([at])]));
        add('extreme', args, (records) =>
          records.measures.extreme([{ ...part([]), field: ref('at') }], 'max'),
        );
      }
      add(`periods ${summation}`, args, async (records) =>
        (
          await records.measures.totalsByPeriod([part([])], request, [
            [0, 1.7e12],
            [1.7e12, 4e12],
          ])
        ).map((total) => show(request, total)),
      );
      const ranged = draw.pick(slotted);
      const ranges = Array.from({ length: 3 }, () => [
        { field: ranged, op: draw.pick(['gt', 'lte'] as const), value: drawValue(draw, ranged) },
      ]);
      add(`ranges ${summation}`, { ...args, ranges }, async (records) =>
        (await records.measures.totalsByRange([{ ...part([]), ranged, ranges }], request)).map((total) =>
          show(request, total),
        ),
      );
    }
  }
}

type Shown = Awaited<ReturnType<RecordReads['measures']['total']>>;

/** An exact sum is compared as it is shown. Engines leave the rounding of different near sums open. */
function show({ metric, summation }: MetricRequest, { value, records }: Shown): unknown {
  if (!isSum(value)) return [value, records];
  const shown = metric === 'avg' ? formatMean(value) : formatSum(value);
  return [summation === 'exact' ? shown : 'near', records];
}

function showGroups(
  request: MetricRequest,
  groups: Awaited<ReturnType<RecordReads['measures']['groups']>>,
): unknown {
  const { metric, summation } = request;
  const isOpen = summation === 'near' && (metric === 'sum' || metric === 'avg');
  return {
    total: show(request, groups),
    count: groups.groupCount,
    // The order of float sums counts only where both are certain, so exact ones are compared.
    ...(isOpen
      ? {}
      : { sort: groups.sort, groups: groups.groups.map((one) => [one.by, show(request, one)]) }),
  };
}

/** Reads all that can be read of some records. */
async function bound(rows: readonly (Partial<BoundRecord> & { key: string })[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const { long, ...row } of rows) {
    const values: unknown[] = [];
    for (const [name, value] of long ?? [])
      values.push([
        name,
        [value.type, value.chars, value.lines, value.escapes],
        await value.begin(40),
        await value.slice(10, 90_000, 2),
        await value.items(),
        await value.whole(200_000),
      ]);
    all.push([row, values]);
  }
  return all;
}
