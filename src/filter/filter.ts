import { AppError } from '../errors.ts';
import type { Field } from '../schema-index/field.ts';
import { isTime } from '../schema-index/field.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import type { ClockUnit, ConditionTest } from '../store/conditions.ts';
import { fromValue, toValue } from '../store/field-value.ts';
import type { Value } from '../store/values.ts';
import { type Hint, wording } from '../text/hint.ts';
import { DAY_MS } from '../time/durations.ts';
import { parseDate, parseInstant, toLocal, toUtc } from '../time/instant.ts';
import { type Period, parsePeriod } from '../time/period.ts';
import { parseClockParts } from './clock-filter.ts';

/** One test on one field of a filter. All conditions must hold. */
export type Condition = {
  readonly field: Field;
  /** The `relation.field` names that the keys in `values` were found by. */
  readonly through?: readonly string[];
  /** Names that stand for keys, each with its keys. */
  readonly names?: ReadonlyMap<string, readonly string[]>;
} & ConditionTest;

export interface Clock {
  readonly now: number;
  readonly timeZone: string;
}

const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'ne', 'exists', 'contains', 'starts_with', 'weekday', 'hour'];
const MAX_CONDITIONS = 50;
const MAX_VALUES = 200;
const MAX_VALUE_CHARACTERS = 4_000;

/** The value that stands for the owner in fields with persons. */
export const ME = 'me';

/** The owner's names, by field. */
export type Owner = ReadonlyMap<string, readonly string[]>;

/** Parses a filter over the fields that the caller may use. */
export function parseFilter(
  filter: unknown,
  fields: ReadonlyMap<string, Field>,
  clock: Clock,
  owner: Owner = new Map(),
): Condition[] {
  if (filter === undefined) return [];
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw malformed('filter must be an object of field conditions, not a string or a list.');
  }
  const entries = Object.entries(filter);
  if (entries.length === 0) throw malformed('filter is empty.', 'Leave filter out to read every record.');
  const conditions = entries.flatMap(([name, test]) => {
    const bracket = /^([^[\]]+)\[(\w+)\]$/.exec(name);
    if (bracket !== null)
      throw malformed('filter has a key with brackets.', 'Nest the operator: {"field": {"gte": value}}');
    const field = getFieldFor(fields, name, 'filter', 'filter', (one) => one.filter);
    return parseTest(field, nameOwner(field, test, owner), fields, clock);
  });
  if (conditions.length > MAX_CONDITIONS)
    throw malformed(`filter has more than ${MAX_CONDITIONS} conditions.`);
  return conditions;
}

/** Returns the fields in which a filter uses `me`. */
export function findOwnerFields(filter: unknown, fields: ReadonlyMap<string, Field>): Field[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return [];
  return Object.entries(filter).flatMap(([name, test]) => {
    const field = fields.get(name);
    return field !== undefined && namesOwner(field, test) ? [field] : [];
  });
}

function namesOwner(field: Field, test: unknown): boolean {
  const { ne } = (test ?? {}) as { ne?: unknown };
  return field.person === true && [test, ne].flat().includes(ME);
}

/** Replaces `me` by the owner's names. Where they are unknown, an empty answer would mislead, so it is an error. */
function nameOwner(field: Field, test: unknown, owner: Owner): unknown {
  if (!namesOwner(field, test)) return test;
  const names = owner.get(field.name) ?? [];
  const named = (value: unknown) =>
    [value].flat().flatMap((one): readonly unknown[] => (one === ME ? names : [one]));
  if (names.length === 0)
    throw malformed('filter uses "me" in a field where the owner is not known.', 'Name the person.');
  if (typeof test !== 'object' || test === null || Array.isArray(test)) return named(test);
  return { ...test, ne: named((test as { ne?: unknown }).ne) };
}

function parseTest(
  field: Field,
  test: unknown,
  fields: ReadonlyMap<string, Field>,
  clock: Clock,
): Condition[] {
  if (test === null) return [{ field, op: 'exists', yes: false }];
  if (Array.isArray(test) || typeof test !== 'object') return [equalsAny(field, checkList(test), clock)];
  const operators = Object.entries(test);
  if (operators.length === 0) throw malformed('filter has a field without a condition.');
  return operators.map(([operator, value]) => parseOperator(field, operator, value, fields, clock));
}

function parseOperator(
  field: Field,
  operator: string,
  value: unknown,
  fields: ReadonlyMap<string, Field>,
  clock: Clock,
): Condition {
  switch (operator) {
    case 'exists':
      if (typeof value !== 'boolean') throw malformed('exists takes true or false.');
      return { field, op: 'exists', yes: value };
    case 'ne': {
      if (value === null) return { field, op: 'exists', yes: true };
      const any = equalsAny(field, checkList(value), clock);
      return any.op === 'any'
        ? { field, op: 'none', values: any.values }
        : { field, op: 'outside', intervals: any.intervals };
    }
    case 'contains':
    case 'starts_with':
      getFieldFor(fields, field.name, 'filter', `use ${operator}`, (one) => one.kind === 'string');
      if (typeof value !== 'string' || value === '')
        throw malformed(`${operator} takes a string that is not empty.`);
      if (value.length > MAX_VALUE_CHARACTERS)
        throw malformed(`A value in filter has at most ${MAX_VALUE_CHARACTERS} characters.`);
      return { field, op: operator, text: value };
    case 'weekday':
    case 'hour':
      return parseClockTest(field, operator, value, fields, clock);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      getFieldFor(fields, field.name, 'filter', 'compare with gt, gte, lt or lte', (one) => one.range);
      const parsed = parseValue(field, value, clock);
      // A day is a whole period: `gt` starts after it, `lte` includes it.
      if (parsed.whole !== undefined && operator === 'gt') return { field, op: 'gte', value: parsed.whole };
      if (parsed.whole !== undefined && operator === 'lte') return { field, op: 'lt', value: parsed.whole };
      return { field, op: operator, value: parsed.value };
    }
    default:
      throw malformed('filter has an unknown operator.', undefined, { allowed: OPERATORS });
  }
}

const CLOCK_HINTS: Record<ClockUnit, string> = {
  weekday:
    'Write {"weekday": "friday"}, {"weekday": ["saturday", "sunday"]} or {"weekday": {"ne": "monday"}}.',
  hour: 'Write {"hour": 22}, {"hour": [7, 8]} or {"hour": {"gte": 22, "lt": 5}}, by the 24-hour clock.',
};

/** Parses a test of the weekday or hour. Only times have an hour; a date is the same day in every zone. */
function parseClockTest(
  field: Field,
  unit: ClockUnit,
  value: unknown,
  fields: ReadonlyMap<string, Field>,
  clock: Clock,
): Condition {
  const hasUnit = (one: Field) => (unit === 'hour' ? one.kind === 'date-time' : isTime(one.kind));
  getFieldFor(fields, field.name, 'filter', `use ${unit}`, hasUnit);
  const parts = parseClockParts(unit, value);
  if (parts === undefined) throw malformed(`filter has an invalid value for ${unit}.`, CLOCK_HINTS[unit]);
  return { field, op: unit, parts, zone: field.kind === 'date' ? 'UTC' : clock.timeZone };
}

/** Returns a list of values. A single value means a list of it. */
function checkList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  if (value.length > 0 && value.length <= MAX_VALUES) return value;
  throw malformed(`A list in filter holds 1 to ${MAX_VALUES} values.`);
}

type AnyOf = Extract<Condition, { op: 'any' | 'within' | 'outside' }>;

function equalsAny(field: Field, values: readonly unknown[], clock: Clock): AnyOf {
  const parsed = values.map((value) => parseValue(field, value, clock));
  const findEnd = ({ whole, until }: ParsedValue) => whole ?? until;
  if (parsed.every((one) => findEnd(one) === undefined))
    return { field, op: 'any', values: parsed.map(({ value }) => value) };
  const intervals = parsed.map(
    (one) => [one.value as number, findEnd(one) ?? (one.value as number) + 1] as const,
  );
  return { field, op: 'within', intervals };
}

/** A value converted to the type of the field. */
interface ParsedValue {
  readonly value: Value;
  /** The end of a day, month or year that is meant as a whole. */
  readonly whole?: number;
  /** The end of a period that ends or begins now. `value` is its start. */
  readonly until?: number;
}

function parseValue(field: Field, value: unknown, clock: Clock): ParsedValue {
  if (typeof value === 'string' && value.length > MAX_VALUE_CHARACTERS) {
    throw malformed(`A value in filter has at most ${MAX_VALUE_CHARACTERS} characters.`);
  }
  if (isTime(field.kind) && typeof value === 'string') return parseTimeValue(field, value, clock);
  const slot = toValue(field.kind === 'list' ? 'string' : field.kind, value, clock.timeZone);
  if (slot === null) throw wrongType(field);
  return { value: slot };
}

function parseTimeValue(field: Field, text: string, clock: Clock): ParsedValue {
  const zone = field.kind === 'date' ? 'UTC' : clock.timeZone;
  const period = parsePeriod(text, clock.now, clock.timeZone);
  if (period !== undefined) return inField(field, period, clock);
  const date = parseDate(text);
  if (date !== undefined && field.kind === 'date-time')
    return { value: toUtc(date, zone), whole: toUtc(date + DAY_MS, zone) };
  const instant = date ?? parseInstant(text, zone);
  if (instant === undefined) throw wrongType(field);
  return { value: field.kind === 'date' ? floorDay(instant) : instant };
}

/** Converts a named period to the field's unit: whole days in a field of dates. */
function inField(field: Field, { start, end, kind }: Period, { timeZone }: Clock): ParsedValue {
  const day = (instant: number) => floorDay(toLocal(instant, timeZone));
  const [value, after] = field.kind === 'date' ? [day(start), day(end - 1) + DAY_MS] : [start, end];
  if (kind === 'moment') return { value };
  return kind === 'calendar' ? { value, whole: after } : { value, until: after };
}

function floorDay(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS;
}

/** Returns the condition on the records of a relation: their foreign key is the key of the record. */
export function pointsTo(fields: ReadonlyMap<string, Field>, foreignKey: string, key: string): Condition {
  const field = fields.get(foreignKey);
  if (field === undefined) throw new Error('a relation without its foreign key was offered');
  return isOneOf(field, [key]);
}

/** Returns the condition that a field holds one of some keys. */
export function isOneOf(field: Field, keys: readonly string[]): Condition & { op: 'any' } {
  const kind = field.kind === 'list' ? 'string' : field.kind;
  return { field, op: 'any', values: keys.map((key) => toValue(kind, key, 'UTC')) };
}

/** Describes how time conditions were understood, by the clock of a zone. */
export function describeTimes(
  conditions: readonly Condition[],
  timeZone: string,
): Record<string, Record<string, string>> | undefined {
  const described: Record<string, Record<string, string>> = {};
  const show = (field: Field, value: number) => String(fromValue(field.kind, value, timeZone));
  for (const condition of conditions) {
    if (!isTime(condition.field.kind)) continue;
    const entry = described[condition.field.name] ?? {};
    described[condition.field.name] = entry;
    if ('value' in condition && typeof condition.value === 'number') {
      entry[condition.op] = show(condition.field, condition.value);
    }
    const [interval] = condition.op === 'within' ? condition.intervals : [];
    if (interval !== undefined)
      [entry.gte, entry.lt] = [show(condition.field, interval[0]), show(condition.field, interval[1])];
  }
  const entries = Object.entries(described).filter(([, entry]) => Object.keys(entry).length > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const EXAMPLES: Partial<Record<Field['kind'], string>> = {
  integer: 'a whole number such as 3',
  number: 'a number such as 12.5',
  boolean: 'true or false',
  'date-time': 'a time such as "2026-01-31", "2026-01", "2026-01-31T09:30:00Z", "last_week" or "last_7_days"',
  date: 'a date such as "2026-01-31", "2026-01", "last_week" or "last_7_days"',
};

function wrongType(field: Field): AppError {
  return malformed(`filter on ${field.name} takes ${EXAMPLES[field.kind] ?? 'a string'}.`);
}

/** A filter is an object in a tool call and options on the command line. */
const FORMS: Hint = [
  wording(
    'Write {"field": value}, {"field": [a, b]} or {"field": {"gte": value}}.',
    'Write --where FIELD=VALUE, or > >= < <= != in place of =.',
  ),
];

function malformed(message: string, hint?: Hint, details: Record<string, unknown> = {}): AppError {
  return new AppError('invalid_filter', message, { hint: hint ?? FORMS, ...details });
}
