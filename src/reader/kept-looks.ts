/** What was counted, by what was asked. */
export type Counts = Map<string, number>;

/** Counts that are kept for one choice of streams, and choices. */
const MOST_KEPT = 5_000;
const MOST_CHOICES = 10;

/** What was made and counted for choices of streams, which holds as long as nothing changes: searches ask for the same again and again. */
export class KeptLooks<Look> {
  #horizon = -1;
  readonly #byStreams = new Map<string, Look>();

  /** What is known of these streams, whole, since the change with this number. */
  of(horizon: number, streams: string, make: () => Look): Look {
    if (this.#horizon !== horizon) this.#byStreams.clear();
    this.#horizon = horizon;
    const known = this.#byStreams.get(streams) ?? make();
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
