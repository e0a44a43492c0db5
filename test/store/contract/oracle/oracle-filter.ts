import type { Kind } from '../../../support/granted-sources.ts';
import type { Data } from '../../../support/story-step.ts';
import {
  type Clocks,
  clockOffset,
  compareValues,
  fromClock,
  readDay,
  readInstant,
  readValue,
  type Value,
} from './oracle-values.ts';

/** Thrown for a request that must be refused; `codes` are the refusals that would be right. */
export class Refusal extends Error {
  readonly codes: ReadonlySet<string>;

  constructor(...codes: string[]) {
    super(codes.join(' or '));
    this.codes = new Set(codes);
  }
}

export type Test = (data: Data) => boolean;

const DAY = 86_400_000;
const SCALAR = new Set<Kind>(['string', 'integer', 'number', 'boolean', 'date-time', 'date']);
const RANGED = new Set<Kind>(['integer', 'number', 'date-time', 'date']);

export function isScalar(kind: Kind): boolean {
  return SCALAR.has(kind);
}

/** A filter as a test of records, or the refusals it deserves. `kinds` are the granted fields. */
export function readFilter(filter: unknown, kinds: Readonly<Record<string, Kind>>, clocks: Clocks): Test {
  if (filter === undefined) return () => true;
  const refused = new Set<string>();
  const tests = Object.entries(filter as object).map(([name, condition]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) refused.add('unknown_field');
    else if (!SCALAR.has(kind) && kind !== 'list') refused.add('unsupported_field');
    else {
      try {
        return readCondition(name, kind, condition, clocks);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        for (const code of error.codes) refused.add(code);
      }
    }
    return () => false;
  });
  if (refused.size > 0) throw new Refusal(...refused);
  return (data) => tests.every((test) => test(data));
}

function readCondition(name: string, kind: Kind, condition: unknown, clocks: Clocks): Test {
  if (condition === null) return (data) => !hasValue(kind, data[name], clocks);
  if (Array.isArray(condition)) {
    const tests = condition.map((one) => readEqual(name, kind, one, clocks));
    return (data) => tests.some((test) => test(data));
  }
  if (typeof condition !== 'object') return readEqual(name, kind, condition, clocks);
  const tests = Object.entries(condition).map(([operator, operand]) =>
    readOperator(name, kind, operator, operand, clocks),
  );
  return (data) => tests.every((test) => test(data));
}

function readOperator(name: string, kind: Kind, operator: string, operand: unknown, clocks: Clocks): Test {
  if (operator === 'exists') return (data) => hasValue(kind, data[name], clocks) === operand;
  if (operator === 'ne') {
    if (operand === null) return (data) => hasValue(kind, data[name], clocks);
    const equal = [operand].flat().map((one) => readEqual(name, kind, one, clocks));
    return (data) => !equal.some((test) => test(data));
  }
  if (operator === 'contains' || operator === 'starts_with') {
    if (kind !== 'string') throw new Refusal('unsupported_field');
    if (typeof operand !== 'string') throw new Refusal('invalid_filter');
    return (data) => {
      const text = data[name];
      if (typeof text !== 'string') return false;
      const at = text.toLowerCase().indexOf(operand.toLowerCase());
      return operator === 'contains' ? at >= 0 : at === 0;
    };
  }
  if (operator === 'weekday' || operator === 'hour')
    return readClockTest(name, kind, operator, operand, clocks);
  if (!RANGED.has(kind)) throw new Refusal('unsupported_field');
  const [from, to] = readOperand(kind, operand, clocks);
  const compare = (edge: Value, accept: (order: number) => boolean) => (data: Data) => {
    const value = readValue(kind, data[name], clocks.stored);
    return value !== undefined && accept(compareValues(value, edge));
  };
  switch (operator) {
    case 'gt':
      return to === undefined ? compare(from, (order) => order > 0) : compare(to, (order) => order >= 0);
    case 'gte':
      return compare(from, (order) => order >= 0);
    case 'lt':
      return compare(from, (order) => order < 0);
    case 'lte':
      return to === undefined ? compare(from, (order) => order <= 0) : compare(to, (order) => order < 0);
    default:
      throw new Refusal('invalid_filter');
  }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** What the clock of the call shows at a time. A calendar day has a weekday in no zone but its own, and no hour. */
function readClockTest(
  name: string,
  kind: Kind,
  unit: 'weekday' | 'hour',
  operand: unknown,
  clocks: Clocks,
): Test {
  if (kind !== 'date-time' && (kind !== 'date' || unit === 'hour')) throw new Refusal('unsupported_field');
  const shownAt = (data: Data) => {
    const time = readValue(kind, data[name], clocks.stored);
    if (typeof time !== 'number') return undefined;
    const date = new Date(time + (kind === 'date' ? 0 : clockOffset(time, clocks.shown)));
    return unit === 'weekday' ? WEEKDAYS[date.getUTCDay()] : date.getUTCHours();
  };
  const meets = (shown: string | number, one: unknown) =>
    typeof shown === 'number'
      ? shown === Number.parseInt(String(one), 10)
      : shown.startsWith(String(one).toLowerCase());
  return (data) => {
    const shown = shownAt(data);
    if (shown === undefined) return false;
    if (typeof operand !== 'object' || operand === null || Array.isArray(operand))
      return [operand].flat().some((one) => meets(shown, one));
    const { ne = [], gte = 0, lt = 24 } = operand as { ne?: unknown; gte?: number; lt?: number };
    if ([ne].flat().some((one) => meets(shown, one))) return false;
    if (typeof shown === 'string') return true;
    return gte > lt ? shown >= gte || shown < lt : shown >= gte && shown < lt;
  };
}

function readEqual(name: string, kind: Kind, operand: unknown, clocks: Clocks): Test {
  if (kind === 'list') {
    if (typeof operand !== 'string') throw new Refusal('invalid_filter');
    return (data) => Array.isArray(data[name]) && (data[name] as unknown[]).includes(operand);
  }
  const [from, to] = readOperand(kind, operand, clocks);
  return (data) => {
    const value = readValue(kind, data[name], clocks.stored);
    if (value === undefined) return false;
    if (to === undefined) return compareValues(value, from) === 0;
    return compareValues(value, from) >= 0 && compareValues(value, to) < 0;
  };
}

/** What a value is compared with. A bare date on a date-time is the whole of that day: from, and up to. */
function readOperand(kind: Kind, operand: unknown, clocks: Clocks): [from: Value, to?: Value] {
  if (kind === 'date-time' && typeof operand === 'string') {
    const day = readDay(operand);
    if (day !== undefined) return [fromClock(day, clocks.shown), fromClock(day + DAY, clocks.shown)];
    const instant = readInstant(operand, clocks.shown);
    if (instant !== undefined) return [instant];
  }
  if (kind === 'date' && typeof operand === 'string') {
    const day = readDay(operand);
    if (day !== undefined) return [day];
  }
  if (kind === 'integer' && typeof operand === 'string' && /^-?\d+$/.test(operand)) return [BigInt(operand)];
  const type = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number' }[kind as string];
  if (type !== undefined && typeof operand === type) return [operand as Value];
  throw new Refusal('invalid_filter');
}

function hasValue(kind: Kind, raw: unknown, clocks: Clocks): boolean {
  if (kind === 'list') return Array.isArray(raw) && raw.length > 0;
  return readValue(kind, raw, clocks.stored) !== undefined;
}
