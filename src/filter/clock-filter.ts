import type { ClockUnit } from '../store/conditions.ts';

/** Weekdays as `interval: "weekday"` names them, Monday being 0. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS_A_DAY = 24;
/** A weekday may be cut to so many letters: `fri`. */
const SHORTEST_WEEKDAY = 3;

/**
 * The weekdays or hours that an operand of a filter means: one, a list, `{"ne": ...}`, or for hours bounds. A lower bound
 * above the upper one goes past midnight. Undefined for what is none of these.
 */
export function parseClockParts(unit: ClockUnit, operand: unknown): number[] | undefined {
  const read = unit === 'weekday' ? readWeekday : readHour;
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand))
    return readAny(operand, read);
  const tests = Object.entries(operand);
  if (tests.length === 0) return undefined;
  const count = unit === 'weekday' ? WEEKDAYS.length : HOURS_A_DAY;
  const all = Array.from({ length: count }, (_, part) => part);
  const { ne, ...bounds } = operand as Record<string, unknown>;
  const left = ne === undefined ? [] : readAny(ne, read);
  const inside =
    unit === 'hour' ? readBounds(bounds) : Object.keys(bounds).length === 0 ? () => true : undefined;
  if (left === undefined || inside === undefined) return undefined;
  return all.filter((part) => !left.includes(part) && inside(part));
}

function readAny(operand: unknown, read: (value: unknown) => number | undefined): number[] | undefined {
  const parts = [operand].flat().map(read);
  return parts.length === 0 || parts.includes(undefined) ? undefined : [...new Set(parts as number[])];
}

function readWeekday(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length < SHORTEST_WEEKDAY) return undefined;
  const at = WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(value.toLowerCase()));
  return at === -1 ? undefined : at;
}

/** 22, or as groups by the hour are called: "22:00". */
function readHour(value: unknown): number | undefined {
  const hour = typeof value === 'string' && /^\d\d?(:00)?$/.test(value) ? Number.parseInt(value, 10) : value;
  const isHour = typeof hour === 'number' && Number.isInteger(hour) && hour >= 0 && hour < HOURS_A_DAY;
  return isHour ? hour : undefined;
}

function readBounds(bounds: Record<string, unknown>): ((hour: number) => boolean) | undefined {
  let [from, to] = [0, HOURS_A_DAY];
  for (const [operator, value] of Object.entries(bounds)) {
    // The end of the day is an hour to stop before, and none to begin at.
    const hour = operator === 'lt' && value === HOURS_A_DAY ? HOURS_A_DAY : readHour(value);
    if (hour === undefined) return undefined;
    if (operator === 'gte') from = hour;
    else if (operator === 'gt') from = hour + 1;
    else if (operator === 'lt') to = hour;
    else if (operator === 'lte') to = hour + 1;
    else return undefined;
  }
  return from > to ? (hour) => hour >= from || hour < to : (hour) => hour >= from && hour < to;
}
