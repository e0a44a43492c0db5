/**
 * The moment in the evening at which a demo until this day ends, or undefined where `text` is no day such as
 * 2026-10-31.
 */
export function findEndOfDay(text: string): Date | undefined {
  const evening = new Date(`${text}T22:00:00Z`);
  // A 31st of February is read as a day of March.
  const isDay = !Number.isNaN(evening.getTime()) && evening.toISOString().startsWith(`${text}T`);
  return isDay ? evening : undefined;
}
