/** The part of a matching record that ranking needs. */
export interface Candidate {
  readonly id: string;
  readonly t: number | undefined;
}

export interface Ranked<T extends Candidate> {
  readonly candidate: T;
  /** An integer that depends only on the record and on the plan of the first page. */
  readonly score: number;
}

/** Orders by score, then newest first, then by id. */
export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    b.score - a.score ||
    (b.candidate.t ?? 0) - (a.candidate.t ?? 0) ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}

/** Returns the page of hits after a position, and whether more follow. */
export function pageOf<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  after: { score: number; t: number | undefined; id: string } | undefined,
  limit: number,
): { page: Ranked<T>[]; hasMore: boolean } {
  const last = after && { score: after.score, candidate: { id: after.id, t: after.t } };
  const rest = last === undefined ? ranked : ranked.filter((one) => compareRanked(last, one) < 0);
  return { page: rest.slice(0, limit), hasMore: rest.length > limit };
}
