/** A range of values, and where each lies in it. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Returns the position of a value between 0 and 1. */
  at(value: number): number;
}

/** Creates a scale over values. With `withZero` it includes zero, so that lengths can be compared. */
export function createScale(values: readonly number[], withZero: boolean): Scale {
  let low = Math.min(...values, ...(withZero ? [0] : []));
  let high = Math.max(...values, ...(withZero ? [0] : []));
  if (!(low < high)) [low, high] = widen(low);
  // Divided first, because the difference of the largest numbers is infinite.
  const unit = Math.max(Math.abs(low), Math.abs(high));
  const width = high / unit - low / unit;
  return { low, high, at: (value) => (value / unit - low / unit) / width };
}

/** Returns a range around one value, or around nothing. */
function widen(value: number): [number, number] {
  if (!Number.isFinite(value) || value === 0) return [0, 1];
  return value > 0 ? [0, value] : [value, 0];
}

const STEPS = [1, 2, 5, 10];
const MAX_TICKS = 4;

/** Returns round values within a scale. */
export function listTicks({ low, high }: Scale): number[] {
  const width = high - low;
  if (!Number.isFinite(width)) return [low, high];
  const power = 10 ** Math.floor(Math.log10(width / MAX_TICKS));
  const step = power * (STEPS.find((one) => width / (one * power) <= MAX_TICKS) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  if (!(last - first <= MAX_TICKS)) return [low, high];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
