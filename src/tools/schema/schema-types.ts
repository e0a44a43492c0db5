import type { Field, FieldKind, Metric } from '../../schema-index/field.ts';

/** Conditions cannot use long texts, which have no index; search finds words in them. */
const NO_TEXT_FILTER = 'none, not even contains: use search';

/** What a field can be used for. */
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

/** What fields of a kind can be used for unless their declaration differs. */
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
  'types lists the uses of each type; a field lists only its differences. Every filter takes a value, a list for any of them, {"ne": value or list} (also matches records without the field), {"exists": bool}; strings also contains, starts_with; ranges also gt, gte, lt, lte; times also {"weekday": "friday"}, {"hour": 22 or {"gte": 9, "lt": 17}}. "me" works in the fields under me. values are complete unless there is a values_total; labels are values with their names, and a filter takes either; relation.field works in filters and groups, relations are under expand. read_only fields can only be read, unused_fields are empty in every record. count needs no field.';

/** Lists the types that occur with their uses; types with the same uses share an entry. */
export function describeTypes(fields: Iterable<Field>): Record<string, Uses> {
  const names = new Map<Uses, string[]>();
  for (const kind of new Set([...fields].map((field) => field.kind))) {
    const uses = usual[kind];
    if (uses !== undefined) names.set(uses, [...(names.get(uses) ?? []), nameType(kind)]);
  }
  return Object.fromEntries([...names].map(([uses, kinds]) => [kinds.join(', '), uses]));
}

/** Whether a field can only be read; then its name is enough. */
export function isOnlyRead(field: Field): boolean {
  return !(field.filter || field.sort || field.group || field.search) && field.metrics.length === 0;
}

export function nameType(kind: FieldKind): string {
  return kind === 'list' ? 'list of strings' : kind;
}

/** Returns the uses in which a field differs from others of its type. */
export function describeExceptions(field: Field): Uses {
  const { filter = false, sort = false, group = false, aggregate = [] } = usual[field.kind] ?? {};
  const own = describeFilter(field);
  const hasUsualMetrics =
    aggregate.length === field.metrics.length && field.metrics.every((metric) => aggregate.includes(metric));
  return {
    ...(own === filter ? {} : { filter: own }),
    ...(field.sort === sort ? {} : { sort: field.sort }),
    ...(field.group === group ? {} : { group: field.group }),
    ...(hasUsualMetrics ? {} : { aggregate: field.metrics }),
  };
}

function describeFilter({ filter, range, kind, search }: Field): NonNullable<Uses['filter']> {
  if (!filter) return kind === 'text' && search ? NO_TEXT_FILTER : false;
  if (range) return 'equals or range';
  return kind === 'list' ? 'equals an item' : 'equals';
}
