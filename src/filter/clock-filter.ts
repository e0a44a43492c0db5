import type { ClockUnit } from '../store/conditions.ts';

/** Weekdays as `interval: "weekday"` names them, Monday being 0. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS_PER_DAY = 24;
/** Weekdays may be abbreviated: `fri`. */
const MIN_WEEKDAY_CHARACTERS = 3;

/**
 * Parses weekdays or hours in a filter: one, a list, `{"ne": ...}`, or bounds of hours. A range whose lower bound is above
 * its upper bound crosses midnight. Returns undefined for an invalid operand.
 */
export function parseClockParts(unit: ClockUnit, operand: unknown): number[] | undefined {
  const read = unit === 'weekday' ? readWeekday : readHour;
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand))
    return readAny(operand, read);
  const tests = Object.entries(operand);
  if (tests.length === 0) return undefined;
  const count = unit === 'weekday' ? WEEKDAYS.length : HOURS_PER_DAY;
  const all = Array.from({ length: count }, (_, part) => part);
  const { ne, ...bounds } = operand as Record<string, unknown>;
  const excluded = ne === undefined ? [] : readAny(ne, read);
  const inside =
    unit === 'hour' ? readBounds(bounds) : Object.keys(bounds).length === 0 ? () => true : undefined;
  if (excluded === undefined || inside === undefined) return undefined;
  return all.filter((part) => !excluded.includes(part) && inside(part));
}

function readAny(operand: unknown, read: (value: unknown) => number | undefined): number[] | undefined {
  const parts = [operand].flat().map(read);
  return parts.length === 0 || parts.includes(undefined) ? undefined : [...new Set(parts as number[])];
}

function readWeekday(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length < MIN_WEEKDAY_CHARACTERS) return undefined;
  const at = WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(value.toLowerCase()));
  return at === -1 ? undefined : at;
}

/** Parses 22 or "22:00", the name of a group by hour. */
function readHour(value: unknown): number | undefined {
  const hour = typeof value === 'string' && /^\d\d?(:00)?$/.test(value) ? Number.parseInt(value, 10) : value;
  const isHour = typeof hour === 'number' && Number.isInteger(hour) && hour >= 0 && hour < HOURS_PER_DAY;
  return isHour ? hour : undefined;
}

function readBounds(bounds: Record<string, unknown>): ((hour: number) => boolean) | undefined {
  let [from, to] = [0, HOURS_PER_DAY];
  for (const [operator, value] of Object.entries(bounds)) {
    // 24 is valid as an end only.
    const hour = operator === 'lt' && value === HOURS_PER_DAY ? HOURS_PER_DAY : readHour(value);
    if (hour === undefined) return undefined;
    if (operator === 'gte') from = hour;
    else if (operator === 'gt') from = hour + 1;
    else if (operator === 'lt') to = hour;
    else if (operator === 'lte') to = hour + 1;
    else return undefined;
  }
  return from > to ? (hour) => hour >= from || hour < to : (hour) => hour >= from && hour < to;
}
