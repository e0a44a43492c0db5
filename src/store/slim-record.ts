/** Lists and rankings look at the beginning of a text only; this much of it is more than either uses. */
const MOST_CHARACTERS = 100_000;

/** Above this size a record is slimmed before it leaves the database, so that a page never holds hundreds of megabytes. */
export const SLIM_ABOVE_BYTES = 250_000;

/** A stored record with its very long texts cut. What was cut shows: a list shortens texts far more than this. */
export function slimRecord(data: string): string {
  return JSON.stringify(JSON.parse(data), (_, value: unknown) =>
    typeof value === 'string' && value.length > MOST_CHARACTERS
      ? value.slice(0, MOST_CHARACTERS).toWellFormed()
      : value,
  );
}
