/** A generator of numbers that is the same in every run. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % sides;
  };
}

/** The same bytes with a few of them changed. */
export function flipBytes(bytes: Uint8Array, dice: (sides: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let n = 1 + dice(4); n > 0 && copy.length > 0; n--) copy[dice(copy.length)] = dice(256);
  return copy;
}

/** Every object of a JSON value changed from the inside out. */
export function changeObjects(
  value: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((inner) => changeObjects(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.entries(value).map(([key, inner]) => [key, changeObjects(inner, change)]);
  return change(Object.fromEntries(inside) as Record<string, unknown>);
}
