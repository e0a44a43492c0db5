/** How many keys are remembered; statements are shorter. */
const MAX_KEYS = 500_000;

/**
 * Hands a bank's own number on as a key once, and nothing the second time: banks promise that their numbers are
 * unique and do not keep it, and two payments under one key would be one. What has no key gets one of all its fields.
 */
export function createKeyGuard(): (key: string) => string | undefined {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key) || seen.size >= MAX_KEYS) return undefined;
    seen.add(key);
    return key;
  };
}

/** Tells equal keys apart: the second of them ends in `-2`. */
export function createKeyCounter(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  };
}
