const MAX_CACHED = 2_000;
const MAX_CACHED_CHARACTERS = 300;

/** Caches the last results: senders, labels and content types repeat throughout a mailbox. */
export function memoize<T>(read: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_CACHED_CHARACTERS) return read(text);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(text, value);
    return value;
  };
}
