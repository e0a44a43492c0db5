const UNITS: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A recurrence rule in words: `every 2 weeks on Monday and Friday until 2013-01-30`. */
export function describeRule(rule: string): string | undefined {
  const parts = Object.fromEntries(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.trim().split('=') as [string, string]),
  );
  const unit = UNITS[parts.FREQ ?? ''];
  if (unit === undefined) return undefined;
  const interval = Number(parts.INTERVAL ?? 1);
  const words = [interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`];
  const list = (value: string | undefined) => value?.split(/\s*,\s*/).filter((one) => one !== '') ?? [];
  const days = list(parts.BYDAY).map(nameDay);
  if (days.length > 0) words.push(`on ${join(days)}`);
  const dates = list(parts.BYMONTHDAY).map((day) => (day === '-1' ? 'the last day' : `day ${day}`));
  if (dates.length > 0) words.push(`on ${join(dates)}`);
  const months = list(parts.BYMONTH).map((month) => MONTHS[Number(month) - 1] ?? month);
  if (months.length > 0) words.push(`in ${join(months)}`);
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.UNTIL ?? '');
  if (until !== null) words.push(`until ${until[1]}-${until[2]}-${until[3]}`);
  if (parts.COUNT !== undefined) words.push(`${parts.COUNT} times`);
  return words.join(' ');
}

/** `2MO` is the second Monday, `-1FR` the last Friday. */
function nameDay(day: string): string {
  const match = /^([+-]?\d+)?([A-Z]{2})$/.exec(day);
  const name = DAYS[match?.[2] ?? ''] ?? day;
  const which = Number(match?.[1] ?? 0);
  if (which === 0) return name;
  if (which === -1) return `the last ${name}`;
  return which < 0
    ? `the ${name} ${-which} from the end`
    : `the ${['', 'first', 'second', 'third', 'fourth', 'fifth'][which] ?? which} ${name}`;
}

function join(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
