const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time bucket such as 2026-11-16. The short form omits the year of a day. */
export function formatBucket(name: string, length: 'short' | 'long'): string {
  const [, year, quarter] = /^(\d{4})-(Q\d)$/.exec(name) ?? [];
  if (quarter !== undefined) return `${quarter} ${year}`;
  const [, y, month, day] = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(name) ?? [];
  if (month === undefined) return name;
  const words = [MONTHS[Number(month) - 1] ?? month];
  if (day !== undefined) words.unshift(String(Number(day)));
  if (day === undefined || length === 'long') words.push(y as string);
  return words.join(' ');
}
