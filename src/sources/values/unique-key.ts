/** Limits memory. Real statements have fewer records. */
const MAX_KEYS = 500_000;

/**
 * Creates a function that returns a key the first time and undefined after that. Banks reuse numbers that should be
 * unique, and two payments with one key would be stored as one. A record without a key gets a key made of its fields.
 */
export function createKeyGuard(): (key: string) => string | undefined {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key) || seen.size >= MAX_KEYS) return undefined;
    seen.add(key);
    return key;
  };
}

/** Creates a function that numbers equal keys: the second ends in `-2`. */
export function createKeyCounter(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  };
}
