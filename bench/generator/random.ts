/** A stream of numbers that is the same for the same seed and label, on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  int(min: number, maxInclusive: number): number;
  pick<T>(items: readonly T[]): T;
  /** Pass a constant array: what is computed from the weights is remembered per array. */
  weighted<T>(entries: ReadonlyArray<readonly [T, number]>): T;
  chance(probability: number): boolean;
  /** Bell-shaped around `mean`, never further than three deviations away. */
  bell(mean: number, deviation: number): number;
  /** An index in [0, size): low ones often, high ones rarely, roughly as words are used in a language. */
  zipf(size: number): number;
}

const sums = new WeakMap<object, Float64Array>();

/** Numbers for one purpose. Another label gives unrelated numbers, so that adding one source moves no other. */
export function createRandom(seed: number, label: string): Random {
  let state = hash(label, seed);

  // mulberry32: one multiplication more than a plain generator, and good enough for a made-up life.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  return {
    next,
    int: (min, maxInclusive) => min + Math.floor(next() * (maxInclusive - min + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    weighted(entries) {
      const running = getSums(entries);
      const at = next() * (running[running.length - 1] as number);
      let index = 0;
      while ((running[index] as number) <= at) index++;
      return (entries[index] as (typeof entries)[number])[0];
    },
    chance: (probability) => next() < probability,
    bell: (mean, deviation) => mean + (next() + next() + next() - 1.5) * 2 * deviation,
    zipf: (size) => Math.floor((size + 1) ** next()) - 1,
  };
}

function getSums(entries: ReadonlyArray<readonly [unknown, number]>): Float64Array {
  let running = sums.get(entries);
  if (!running) {
    let total = 0;
    running = Float64Array.from(entries, (entry) => {
      total += entry[1];
      return total;
    });
    sums.set(entries, running);
  }
  return running;
}

/** FNV-1a over the label, then a final mix, so that near seeds and near labels end up far apart. */
function hash(label: string, seed: number): number {
  let value = (0x811c9dc5 ^ seed) | 0;
  for (let index = 0; index < label.length; index++) {
    value = Math.imul(value ^ label.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
