/** The month `steps` after another one, as `2026-01`. */
export function shiftMonth(month: string, steps: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + steps);
  return date.toISOString().slice(0, -'-01T00:00:00.000Z'.length);
}
