import { AppError } from '../errors.ts';
import { DAY_MS } from '../time/durations.ts';
import { parseDate, toLocal, toUtc } from '../time/instant.ts';

/** Durations that forms offer. A calendar day can be chosen instead. */
export const expiryChoices = [
  { value: '1d', label: '1 day' },
  { value: '1w', label: '1 week' },
  { value: '1m', label: '1 month' },
  { value: '1y', label: '1 year' },
  { value: 'never', label: 'Until revoked' },
] as const;

export interface ExpiryChoice {
  readonly value: string;
  readonly label: string;
}

const MAX_YEARS = 10;

/** Returns when access that begins now expires; undefined for "until revoked". A chosen day is the last day of access. */
export function parseExpiryChoice(text: string, now: Date, timeZone = 'UTC'): Date | undefined {
  switch (text) {
    case 'never':
      return undefined;
    case '1d':
      return new Date(now.getTime() + DAY_MS);
    case '1w':
      return new Date(now.getTime() + 7 * DAY_MS);
    case '1m':
      return addMonths(now, 1, timeZone);
    case '1y':
      return addMonths(now, 12, timeZone);
    default:
      return endOfDay(text, now, timeZone);
  }
}

function endOfDay(text: string, now: Date, timeZone: string): Date {
  const day = parseDate(text);
  if (day === undefined) {
    throw new AppError('invalid_argument', 'Unknown expiry option.', {
      hint: 'Choose one of the listed options, or a day such as 2026-12-31.',
      allowed: expiryChoices.map(({ value }) => value),
    });
  }
  const end = new Date(toUtc(day + DAY_MS, timeZone));
  if (end <= now) throw new AppError('invalid_argument', 'That day has passed. Revoke access to end it now.');
  if (end > addMonths(now, 12 * MAX_YEARS, timeZone)) {
    throw new AppError('invalid_argument', `Choose a day within ${MAX_YEARS} years, or "until revoked".`);
  }
  return end;
}

/** Adds months by the owner's clock. In a shorter month the result is its last day. */
function addMonths(now: Date, months: number, timeZone: string): Date {
  const local = new Date(toLocal(now.getTime(), timeZone));
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, last));
  return new Date(toUtc(local.getTime(), timeZone));
}
