const MAX_CACHED = 2_000;
const LONGEST_KEPT = 300;

/** The same with what was read last at hand: senders, labels and kinds of content stand in a mailbox again and again. */
export function recall<T>(read: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST_KEPT) return read(text);
    const known = kept.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (kept.size >= MAX_CACHED) kept.clear();
    kept.set(text, value);
    return value;
  };
}
