/** Limits memory; statements are shorter. */
const MAX_KEYS = 500_000;

/**
 * Returns a key the first time and undefined after that: banks reuse numbers that should be unique, and two
 * payments with one key would become one. A record without a key gets one made of its fields.
 */
export function createKeyGuard(): (key: string) => string | undefined {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key) || seen.size >= MAX_KEYS) return undefined;
    seen.add(key);
    return key;
  };
}

/** Numbers equal keys: the second ends in `-2`. */
export function createKeyCounter(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  };
}
