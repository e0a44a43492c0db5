import { describe, expect, it } from 'vitest';
import { findStream, loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { GroupColumn, GroupOrder, Groups, Metric, Total } from '../../../src/store/record-reads.ts';
import type { FieldRef, Scope } from '../../../src/store/scope.ts';
import { MAX_HASHED_VALUES } from '../../../src/store/sqlite/reads/measures/hash/group-table.ts';
import { hashGroups } from '../../../src/store/sqlite/reads/measures/hash/hash-groups.ts';
import { readGroups, sortGroups } from '../../../src/store/sqlite/reads/measures/read-groups.ts';
import { formatMean, formatSum, isSum } from '../../../src/store/sum.ts';
import { declare, declareStream, string, time } from '../../support/declare.ts';
import { createDraw } from '../../support/draw.ts';
import { useWorld } from '../../support/use-world.ts';
import { createWorld } from '../../support/world.ts';

const source = declare('shop', [
  declareStream('shops', { fields: { id: string, name: string, rank: { type: 'integer' } } }),
  declareStream('sales', {
    fields: {
      id: string,
      shop_id: string,
      shop_number: { type: 'integer' },
      name: string,
      amount: { type: 'number' },
      pieces: { type: 'integer' },
      sold_at: time,
    },
    time: 'sold_at',
    relationships: [
      { name: 'shop', stream: 'shops', foreign_key: 'shop_id', cardinality: 'has_one' },
      { name: 'numbered', stream: 'shops', foreign_key: 'shop_number', cardinality: 'has_one' },
    ],
  }),
]);

const world = await useWorld(createWorld());
await world.addSource(source, { east: 'East', west: 'West' });
const { db, raw } = world.store.read;

/** Names that differ in how JavaScript, SQLite and a hash might compare them. */
const NAMES = ['a', 'A', '', '1', '1.0', 'é', 'é', '\u{1f600}', '\uffff', 'a\0b', '0', 'null', undefined];
const AMOUNTS = [0.1, 0.2, -0.3, 1e-7, 12.345_678_5, 1 / 3, -99_999.99, 1e6, 0, 5, undefined];
const draw = createDraw(7);
const pick = <T>(list: readonly T[]): T => list[draw.upTo(list.length - 1)] as T;
for (const connection of ['east', 'west']) {
  await world.ingest(
    connection,
    'shops',
    Array.from({ length: 5 }, (_, i) => ({
      key: String(i),
      data: { id: String(i), name: `${connection} ${i % 3}`, rank: i % 2 },
    })),
  );
  await world.ingest(
    connection,
    'sales',
    Array.from({ length: 400 }, (_, i) => ({
      key: `s${i}`,
      data: {
        id: `s${i}`,
        shop_id: pick(['0', '1', '2', '3', '4', 'gone', undefined]),
        shop_number: pick([0, 1, 2, 9, undefined]),
        name: pick(NAMES),
        amount: pick(AMOUNTS),
        pieces: pick([0, 1, -1, 7, 4_000_000_000, undefined]),
        ...(i % 5 === 0 ? {} : { sold_at: new Date(Date.UTC(2024, 0, 1) + i * 7_200_000).toISOString() }),
      },
    })),
  );
}

const catalog = await loadCatalog(world.store.read);
function scopeOf(connection: string, name: string, limits: Partial<Scope> = {}): Scope {
  const stream = findStream(catalog, connection, name);
  if (stream === undefined) throw new Error('no stream');
  const fieldNames = [...stream.fields.keys()];
  return {
    stream,
    fields: new Set(fieldNames),
    fieldNames,
    since: undefined,
    until: undefined,
    keys: undefined,
    ...limits,
  };
}
const fieldOf = (scope: Scope, name: string) => scope.stream.fields.get(name) as FieldRef;

function partsOf(columns: readonly string[], field: string | undefined, limits: Partial<Scope> = {}) {
  return ['east', 'west'].map((connection) => {
    const scope = scopeOf(connection, 'sales', limits);
    const target = scopeOf(connection, 'shops', { keys: new Set(['0', '1', '2', '3']) });
    const groupBy = columns.map((name): GroupColumn => {
      const [relation, related] = name.split('.') as [string, string?];
      if (name === 'connection_id') return { kind: 'connection', field: { name, kind: 'string' } };
      if (related === undefined) return { kind: 'own', field: fieldOf(scope, name) };
      const key = fieldOf(scope, relation === 'shop' ? 'shop_id' : 'shop_number');
      return { kind: 'related', field: fieldOf(target, related), key, target };
    });
    return {
      scope,
      conditions: [],
      field: field === undefined ? undefined : fieldOf(scope, field),
      groupBy,
    };
  });
}

const METRICS: [Metric, string | undefined][] = [
  ['count', undefined],
  ['count_distinct', 'name'],
  ['sum', 'amount'],
  ['sum', 'pieces'],
  ['avg', 'amount'],
  ['avg', 'pieces'],
  ['min', 'amount'],
  ['max', 'pieces'],
  ['max', 'sold_at'],
];
const ORDERS: GroupOrder[] = (['value', 'size', 'group'] as const).flatMap((by) => [
  { by, direction: 'asc' },
  { by, direction: 'desc' },
]);

/** Sums as they are shown, which is the same for near and exact ones. */
function show(metric: Metric, { groups, value, records, ...rest }: Groups) {
  const one = (total: Total) => {
    if (!isSum(total.value)) return { value: total.value, records: total.records };
    return {
      value: metric === 'avg' ? formatMean(total.value) : formatSum(total.value),
      records: total.records,
    };
  };
  return { ...rest, whole: one({ value, records }), groups: groups.map((g) => ({ by: g.by, ...one(g) })) };
}

const COLUMNS = [
  ['name'],
  ['pieces'],
  ['sold_at'],
  ['connection_id'],
  ['shop_id', 'name'],
  ['shop.name'],
  ['shop.rank', 'name'],
  ['name', 'shop.name'],
];

describe('groups in a hash table', () => {
  it.each(COLUMNS)('are those that SQLite finds by sorting: %s %s', async (...columns) => {
    for (const limits of [{}, { since: Date.UTC(2024, 0, 10) }])
      for (const [metric, field] of METRICS) {
        const parts = partsOf(columns.filter(Boolean), field, limits);
        for (const order of ORDERS)
          for (const limit of [3, 200]) {
            const hashed = await readGroups(db, parts, { metric, summation: 'near' }, order, limit);
            const sorted = await sortGroups(db, parts, { metric, summation: 'exact' }, order, limit);
            expect(show(metric, hashed)).toEqual(show(metric, sorted));
          }
      }
  });

  it('are those of time, with a field beside it', async () => {
    const edges = Array.from({ length: 8 }, (_, i) => Date.UTC(2024, 0, 1 + i * 6));
    const request = { metric: 'sum', time: { kind: 'edges', edges } } as const;
    const parts = partsOf(['sold_at', 'shop.name'], 'amount');
    const order = { by: 'group', direction: 'asc' } as const;
    const hashed = await readGroups(db, parts, { ...request, summation: 'near' }, order, 200);
    expect(show('sum', hashed)).toEqual(
      show('sum', await sortGroups(db, parts, { ...request, summation: 'exact' }, order, 200)),
    );
    expect(hashed.groupCount).toBeGreaterThan(10);
  });

  it('leave a sum open, or right, where floats lose more than one other float holds', async () => {
    await world.ingest(
      'west',
      'sales',
      [1e15, 1e-5, 1 / 3, -1e15, 1e-30, 0.5].map((amount, i) => ({
        key: `wide${i}`,
        data: { id: `wide${i}`, name: `wide ${i % 2}`, shop_id: 'wide', amount },
      })),
    );
    const parts = partsOf(['shop_id'], 'amount');
    const order = { by: 'group', direction: 'desc' } as const;
    const hashed = await readGroups(db, parts, { metric: 'sum', summation: 'near' }, order, 1);
    const exact = await sortGroups(db, parts, { metric: 'sum', summation: 'exact' }, order, 1);
    expect(exact.groups[0]).toMatchObject({ by: ['wide'], records: 6 });
    expect([undefined, show('sum', exact).groups[0]?.value]).toContain(show('sum', hashed).groups[0]?.value);
    expect(hashed.groups[0]?.value).toHaveProperty('size');
  });

  it('give way to sorting for keys that are numbers, which SQLite compares in its own way', async () => {
    const parts = partsOf(['numbered.name'], undefined);
    expect(await hashGroups(db, parts, { metric: 'count' })).toBeUndefined();
    const order = { by: 'group', direction: 'asc' } as const;
    const request = { metric: 'count', summation: 'near' } as const;
    expect(await readGroups(db, parts, request, order, 9)).toEqual(
      await sortGroups(db, parts, request, order, 9),
    );
  });

  it('give way to sorting for integers beyond 2^53, which a number would round', async () => {
    const big = 2n ** 60n;
    await world.ingest(
      'east',
      'sales',
      [big, big + 1n, big + 1n].map(
        (pieces, i) =>
          `{"key":"big${i}","emitted_at":"2026-01-02T00:00:00Z","data":{"id":"big${i}","name":"big","pieces":${pieces}}}`,
      ),
    );
    const order = { by: 'group', direction: 'desc' } as const;
    for (const [metric, field, columns] of [
      ['count', undefined, ['pieces']],
      ['count', undefined, ['pieces', 'name']],
      ['sum', 'pieces', ['name']],
      ['max', 'pieces', ['name']],
      ['count_distinct', 'pieces', ['name']],
    ] as const)
      expect(await hashGroups(db, partsOf(columns, field), { metric })).toBeUndefined();
    const { groups } = await readGroups(
      db,
      partsOf(['pieces'], undefined),
      { metric: 'count', summation: 'near' },
      order,
      2,
    );
    expect(groups).toMatchObject([
      { by: [String(big + 1n)], records: 2 },
      { by: [String(big)], records: 1 },
    ]);
  });
});

describe('more groups than a hash table may hold', () => {
  it('are sorted instead, with the same result', async () => {
    const { streamId, plan } = scopeOf('west', 'sales').stream;
    const slot = (name: string) => `s${plan.slots[name]}`;
    world.store.write.raw.exec(`
      insert into facets (stream_id, t, key, rid, ${slot('name')}, ${slot('amount')})
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${MAX_HASHED_VALUES})
      select ${streamId}, 1000 + i, 'bulk' || i, -1 - i, 'bulk' || i, 0.5 from n`);
    const order = { by: 'value', direction: 'desc' } as const;
    expect(await hashGroups(db, partsOf(['name'], 'amount'), { metric: 'sum' })).toBeUndefined();
    expect(await hashGroups(db, partsOf(['connection_id'], 'name'), { metric: 'count_distinct' })).toBe(
      undefined,
    );
    const { groupCount, records } = await readGroups(
      db,
      partsOf(['name'], 'amount'),
      { metric: 'sum', summation: 'near' },
      order,
      3,
    );
    expect(groupCount).toBeGreaterThan(MAX_HASHED_VALUES);
    expect(records).toBe(
      raw
        .prepare(
          'select count(*) from facets where stream_id in (select stream_id from streams where stream = ?)',
        )
        .pluck()
        .get('sales'),
    );
  });
});
