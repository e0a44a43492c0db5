/** A record that matched, as far as its place goes. */
export interface Candidate {
  readonly id: string;
  readonly t: number | undefined;
}

export interface Ranked<T extends Candidate> {
  readonly candidate: T;
  /** A whole number. It depends on the record itself and on what the first page settled, and on nothing else. */
  readonly score: number;
}

/** Best first; equal scores by newer time, then by id. */
export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    b.score - a.score ||
    (b.candidate.t ?? 0) - (a.candidate.t ?? 0) ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}

/** The hits after a place in the order, and whether more follow. */
export function pageOf<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  after: { score: number; t: number | undefined; id: string } | undefined,
  limit: number,
): { page: Ranked<T>[]; hasMore: boolean } {
  const last = after && { score: after.score, candidate: { id: after.id, t: after.t } };
  const rest = last === undefined ? ranked : ranked.filter((one) => compareRanked(last, one) < 0);
  return { page: rest.slice(0, limit), hasMore: rest.length > limit };
}
