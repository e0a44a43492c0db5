import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { Ranked } from '../../search/rank.ts';
import { SHOWN_CHARACTERS } from './search-hit.ts';
import { type Hit, type ReadHit, readHits } from './search-source.ts';

/** A hit with the ids of its copies. */
export interface FoldedHit {
  readonly hit: ReadHit;
  readonly copies: string[];
  /** The last ranked record that belongs to the page up to this hit. */
  last: Ranked<Hit>;
}

/** Records read beyond the page to find copies. */
const MAX_EXTRA_RECORDS = 10;
/** Shorter texts are equal by chance: two payments to one shop on one day are two payments. */
const MIN_COPY_CHARACTERS = 80;

/**
 * Returns the first `limit` ranked records, with copies folded into the first of them. Copies mostly have the same score
 * and follow each other; those right after the last hit belong to the page.
 */
export async function foldCopies(
  reader: GrantedReader,
  ranked: readonly Ranked<Hit>[],
  limit: number,
): Promise<FoldedHit[]> {
  const page: FoldedHit[] = [];
  const candidates = new Map<string, FoldedHit[]>();
  /** Adds a hit to the page. Returns false if it belongs to the next page. */
  const take = (hit: ReadHit, own: Ranked<Hit>): boolean => {
    const name = nameCandidates(hit);
    const alike = name === undefined ? [] : (candidates.get(name) ?? []);
    const original = alike.find((one) => hasSameTexts(one.hit, hit));
    const last = page.at(-1);
    if (original !== undefined && last !== undefined) {
      original.copies.push(hit.candidate.id);
      last.last = own;
      return true;
    }
    if (page.length >= limit) return false;
    const folded = { hit, copies: [], last: own };
    page.push(folded);
    if (name !== undefined) candidates.set(name, [...alike, folded]);
    return true;
  };
  const end = Math.min(ranked.length, limit + MAX_EXTRA_RECORDS);
  for (let from = 0; from < end; ) {
    const needed = Math.min(end, from + Math.max(1, limit - page.length));
    // The record after the page may be a copy too. Reading it at once saves a read of its own.
    const to = needed < end && ranked[needed]?.score === ranked[needed - 1]?.score ? needed + 1 : needed;
    const piece = new Map(ranked.slice(from, to).map((one) => [one.candidate, one]));
    for await (const hit of readHits(reader, [...piece.keys()], SHOWN_CHARACTERS))
      if (!take(hit, piece.get(hit.candidate) as Ranked<Hit>)) return page;
    from = to;
    if (page.length >= limit && ranked[from]?.score !== page.at(-1)?.last.score) return page;
  }
  return page;
}

/** Returns the time and length that copies have in common; undefined if a text is too short to tell. */
function nameCandidates({ texts, match }: ReadHit): string | undefined {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  return length < MIN_COPY_CHARACTERS ? undefined : `${match.t} ${length}`;
}

function hasSameTexts({ texts: one }: ReadHit, { texts: other }: ReadHit): boolean {
  return (
    one.length === other.length &&
    one.every(({ text, isTitle }, at) => other[at]?.text === text && other[at]?.isTitle === isTitle)
  );
}
