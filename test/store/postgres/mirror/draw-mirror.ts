import type { Change } from '../../../../src/store/batches.ts';
import type { Condition } from '../../../../src/store/conditions.ts';
import { toTime, toValue } from '../../../../src/store/field-value.ts';
import type { FieldKind, FieldRef, Scope, StoredStream } from '../../../../src/store/scope.ts';
import type { Value } from '../../../../src/store/values.ts';
import { indexText, searchText } from '../../../../src/words/index-text.ts';
import type { Draw } from '../../../support/draw.ts';

export const fields = new Map<string, FieldRef & { search: boolean }>(
  (
    [
      ['time', 'date-time'],
      ['label', 'string'],
      ['amount', 'number'],
      ['big', 'integer'],
      ['flag', 'boolean'],
      ['at', 'date-time'],
      ['ref', 'string'],
      ['tags', 'list'],
      ['body', 'text'],
    ] as [string, FieldKind][]
  ).map(([name, kind]) => [name, { name, kind, search: kind === 'text' || name === 'label' }]),
);
export const plan = {
  slots: { label: 0, amount: 1, big: 2, flag: 3, at: 4, ref: 5 },
  texts: { label: 0, body: 1 },
};
const declared = { properties: Object.fromEntries([...fields.keys()].map((name) => [name, {}])) };
export const declaration = JSON.stringify({
  streams: ['one', 'two'].map((name) => ({ name, schema: declared })),
});

export const streams: readonly StoredStream[] = [1, 2].map((streamId) => ({
  streamId,
  connection: { connection_id: 'main' },
  fields,
  timeField: fields.get('time') as FieldRef,
  plan,
}));

const KEYS = ['a', 'b', 'B', 'ä', '\u0001', 'c\0', 'k1', 'k10', 'k2', '\ud83d\ude00', '\uffff', 'z'];
const TIMES = [
  '1949-01-01T00:00:00Z',
  '2024-02-29T23:59:59.999Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T12:30:00Z',
  '2026-01-02T00:00:00Z',
  '2026-03-29T01:30:00Z',
  '2099-12-31T23:00:00Z',
];
const TEXTS = [
  'a',
  'A',
  'Ab',
  ' ab ',
  'Ärger',
  'ärger',
  '\0',
  'x\0y',
  '\u0001',
  '\ud83d\ude00',
  '',
  '{"a":1}',
  '"q"',
  '\\u0000',
];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.2,
  2.5,
  1e-7,
  1.0000005,
  1e15,
  1e18,
  1e300,
  -1e300,
  5e-324,
  2 ** 53,
  9_007_199_254_740_991,
];
const INTEGERS = [
  0,
  7,
  -3,
  1e18,
  2 ** 63,
  '9007199254740993',
  '9007199254740992',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775807',
  '9223372036854775808',
  '100000000000000000000000',
  '1000000000000000000',
];

function drawText(draw: Draw): string {
  if (draw.chance(6)) return `${draw.pick(TEXTS)}${'lang '.repeat(70 + draw.upTo(5))}${draw.pick(TEXTS)}`;
  return draw.chance(3) ? 'Zeile\n'.repeat(15_000) + draw.pick(TEXTS) : draw.pick(TEXTS);
}

function drawRecord(draw: Draw): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const set = (name: string, value: () => unknown, percent = 75) => {
    if (draw.chance(percent)) record[name] = value();
  };
  set('time', () => draw.pick(TIMES), 85);
  set('label', () => drawText(draw));
  set('amount', () => draw.pick(NUMBERS));
  set('big', () => draw.pick(INTEGERS));
  set('flag', () => draw.chance(50));
  set('at', () => draw.pick(TIMES));
  set('ref', () => draw.pick(KEYS));
  set('tags', () =>
    draw.chance(80) ? draw.some([...TEXTS, null, 5, true, { a: 1 }], 25) : draw.pick(['a', null, { x: 'A' }]),
  );
  set('body', () => drawText(draw));
  return record;
}

export function index(data: Record<string, unknown>): {
  values: Record<string, Value>;
  texts: Record<string, string>;
} {
  const values = Object.keys(plan.slots).map((name): [string, Value] => [
    name,
    toValue((fields.get(name) as FieldRef).kind, data[name], 'UTC'),
  ]);
  const texts = Object.keys(plan.texts).map((name): [string, string] => [
    name,
    Object.hasOwn(data, name) ? indexText(searchText(data[name])) : '',
  ]);
  return { values: Object.fromEntries(values), texts: Object.fromEntries(texts) };
}

export function drawBatch(draw: Draw): Change[] {
  return Array.from({ length: 1 + draw.upTo(14) }, (): Change => {
    const [key, emittedAt] = [draw.pick(KEYS), 1_000 + draw.upTo(4)];
    if (draw.chance(15)) return { op: 'delete', key, emittedAt };
    const record = drawRecord(draw);
    const t = toTime('date-time', record.time, 'UTC');
    return { op: 'put', key, emittedAt, data: JSON.stringify(record), t, ...index(record) };
  });
}

export function drawScope(draw: Draw, stream: StoredStream): Scope {
  const names = draw.chance(50) ? [...fields.keys()] : draw.some([...fields.keys()], 70);
  const [since, until] = [Date.parse(draw.pick(TIMES)), Date.parse(draw.pick(TIMES))];
  return {
    stream,
    fields: new Set(names),
    fieldNames: names,
    since: draw.chance(25) ? since : undefined,
    until: draw.chance(25) ? until : undefined,
    keys: draw.chance(25) ? new Set(draw.some(KEYS, 50)) : undefined,
  };
}

const offsets = [
  { until: Date.parse('2026-03-29T01:00:00Z'), offset: 3_600_000 },
  { until: Number.MAX_SAFE_INTEGER, offset: 7_200_000 },
];
export const zoneOffsets = offsets;
export { KEYS, TEXTS, TIMES };

/** Values that a field is compared with. */
export function drawValue(draw: Draw, field: FieldRef): Value {
  switch (field.kind) {
    case 'integer':
      return toValue('integer', draw.pick(INTEGERS), 'UTC');
    case 'number':
      return draw.pick(NUMBERS);
    case 'boolean':
      return draw.upTo(1);
    case 'date-time':
      return Date.parse(draw.pick(TIMES));
    default:
      return field.name === 'ref' ? draw.pick(KEYS) : drawText(draw);
  }
}

export function drawConditions(draw: Draw, scope: Scope): Condition[] {
  const usable = scope.fieldNames
    .filter((name) => name !== 'body')
    .map((name) => fields.get(name) as FieldRef);
  if (usable.length === 0) return [];
  return Array.from({ length: draw.upTo(2) }, () => drawCondition(draw, draw.pick(usable)));
}

function drawCondition(draw: Draw, field: FieldRef): Condition {
  const values = Array.from({ length: 1 + draw.upTo(2) }, () => drawValue(draw, field));
  const value = values[0] ?? null;
  const common: Condition[] = [
    { field, op: draw.pick(['any', 'none']), values },
    { field, op: 'exists', yes: draw.chance(50) },
  ];
  if (field.kind === 'list') return draw.pick(common);
  const ordered: Condition = { field, op: draw.pick(['lt', 'lte', 'gt', 'gte']), value };
  if (field.kind === 'string')
    return draw.pick<Condition>([
      ...common,
      ordered,
      { field, op: draw.pick(['contains', 'starts_with']), text: draw.pick(TEXTS) },
    ]);
  if (field.kind !== 'date-time') return draw.pick([...common, ordered]);
  const intervals = [[Number(value), Number(value) + 86_400_000] as const];
  return draw.pick<Condition>([
    ...common,
    ordered,
    { field, op: draw.pick(['within', 'outside']), intervals },
    { field, op: draw.pick(['weekday', 'hour']), parts: [draw.upTo(6), draw.upTo(23)], zone: 'X', offsets },
  ]);
}
