/** What was counted, by what was asked. */
export type Counts = Map<string, number>;

/** Counts that are kept for one choice of streams, and choices. */
const MOST_KEPT = 5_000;
const MOST_CHOICES = 20;

/** Counts of visible records that hold as long as nothing changes: searches ask for the same words again and again. */
export class KeptCounts {
  #horizon = -1;
  readonly #byStreams = new Map<string, Counts>();

  /** What is known of these streams, whole, since the change with this number. */
  of(horizon: number, streams: string): Counts {
    if (this.#horizon !== horizon) this.#byStreams.clear();
    this.#horizon = horizon;
    const known = this.#byStreams.get(streams) ?? new Map();
    if (this.#byStreams.size >= MOST_CHOICES) this.#byStreams.clear();
    this.#byStreams.set(streams, known);
    return known;
  }
}

/** The count under a name, made when there is none. */
export async function keepCount(counts: Counts, name: string, count: () => Promise<number>): Promise<number> {
  const known = counts.get(name);
  if (known !== undefined) return known;
  const counted = await count();
  if (counts.size >= MOST_KEPT) counts.clear();
  counts.set(name, counted);
  return counted;
}
