const formatter = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A day of the calendar as people read it, `16 Nov 2027`, given as its midnight in UTC. */
export function formatDay(day: number): string {
  return formatter.format(day);
}
