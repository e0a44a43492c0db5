/** Lists look at the beginning of a text only; this much of it is more than any of them uses. */
export const MOST_CHARACTERS = 100_000;

/** Above this size a record is slimmed before it leaves the database, so that a page never holds hundreds of megabytes. */
export const SLIM_ABOVE_BYTES = 250_000;

/** The beginning of a text, as far as a list looks at it. Depends on this text alone, so nothing beside it shows. */
function cutText(text: string): string {
  return text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS).toWellFormed() : text;
}

/** A record with every text in it cut. */
export function cutTexts(record: Record<string, unknown>): Record<string, unknown> {
  return cutInside(record) as Record<string, unknown>;
}

function cutInside(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return value.map(cutInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutInside(inner)]));
}

/**
 * The named fields of a stored record, with their texts cut. Only what leaves the database gets smaller:
 * whoever asks projects and cuts again, so an answer does not depend on whether a record came this way.
 */
export function slimRecord(data: string, names: string): string {
  const stored = JSON.parse(data) as Record<string, unknown>;
  const slim = (JSON.parse(names) as string[])
    .filter((name) => Object.hasOwn(stored, name))
    .map((name) => [name, cutInside(stored[name])]);
  return JSON.stringify(Object.fromEntries(slim));
}
