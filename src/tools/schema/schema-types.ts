import type { Field, FieldKind, Metric } from '../../schema-index/field.ts';

/** Long texts have no index that a condition could use; words in them are found by search. */
const NO_TEXT_FILTER = 'none, not even contains: use search';

/** What can be done with a field, in the words of a schema answer. */
interface Uses {
  readonly filter?: 'equals' | 'equals or range' | 'equals an item' | typeof NO_TEXT_FILTER | false;
  readonly sort?: boolean;
  readonly group?: boolean;
  readonly aggregate?: readonly Metric[];
}

const scalar: Uses = { filter: 'equals', sort: true, group: true, aggregate: ['count_distinct'] };
const ranged: Uses = { ...scalar, filter: 'equals or range' };
const numeric: Uses = { ...ranged, aggregate: ['count_distinct', 'sum', 'avg', 'min', 'max'] };
const timed: Uses = { ...ranged, aggregate: ['count_distinct', 'min', 'max'] };

/** What fields of a kind can do unless their declaration says otherwise; said once, not with each field. */
const usual: Partial<Record<FieldKind, Uses>> = {
  string: scalar,
  boolean: scalar,
  integer: numeric,
  number: numeric,
  'date-time': timed,
  date: timed,
  list: { filter: 'equals an item' },
  text: { filter: NO_TEXT_FILTER },
};

export const LEGEND =
  'types says what fields of a type can do; a field says only where it differs. Every filter takes a value, a list for any of them, {"ne": value or list} (also meets records without the field), {"exists": bool}; strings also contains, starts_with; ranges also gt, gte, lt, lte; times also {"weekday": "friday"}, {"hour": 22 or {"gte": 9, "lt": 17}}. "me" works in the fields under me. values are all there are, unless values_total says more; labels are values with their names, and a filter takes either; relation.field works in filters and groups, relations are under expand. read_only fields can be read and nothing else, unused_fields are in no record. count needs no field.';

/** The kinds that occur, each with what it can do; those that can do the same together. */
export function describeTypes(fields: Iterable<Field>): Record<string, Uses> {
  const names = new Map<Uses, string[]>();
  for (const kind of new Set([...fields].map((field) => field.kind))) {
    const uses = usual[kind];
    if (uses !== undefined) names.set(uses, [...(names.get(uses) ?? []), nameType(kind)]);
  }
  return Object.fromEntries([...names].map(([uses, kinds]) => [kinds.join(', '), uses]));
}

/** Whether a field can only be read: then its name is all there is to say of it. */
export function isOnlyRead(field: Field): boolean {
  return !(field.filter || field.sort || field.group || field.search) && field.metrics.length === 0;
}

export function nameType(kind: FieldKind): string {
  return kind === 'list' ? 'list of strings' : kind;
}

/** Where a field differs from others of its type. */
export function describeExceptions(field: Field): Uses {
  const type = usual[field.kind] ?? {};
  const filter = !field.filter
    ? field.kind === 'text' && field.search
      ? NO_TEXT_FILTER
      : false
    : field.range
      ? 'equals or range'
      : field.kind === 'list'
        ? 'equals an item'
        : 'equals';
  const expected = new Set(type.aggregate ?? []);
  const sameMetrics =
    expected.size === field.metrics.length && field.metrics.every((metric) => expected.has(metric));
  return {
    ...(filter === (type.filter ?? false) ? {} : { filter }),
    ...(field.sort === (type.sort ?? false) ? {} : { sort: field.sort }),
    ...(field.group === (type.group ?? false) ? {} : { group: field.group }),
    ...(sameMetrics ? {} : { aggregate: field.metrics }),
  };
}
