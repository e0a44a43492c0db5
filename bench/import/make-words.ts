const WORDS =
  'river bread morning letter window garden winter music paper station coffee answer small green late'.split(
    ' ',
  );

/** Some words, the same for the same seed. */
export const words = (seed: number, count: number) =>
  Array.from({ length: count }, (_, i) => WORDS[(seed * 31 + i * i * 7) % WORDS.length]).join(' ');

/** The moment of the item of a number: one a minute. */
export const at = (i: number) => new Date(Date.UTC(2015, 0, 1) + i * 61_000);
