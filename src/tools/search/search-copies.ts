import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { Ranked } from '../../search/rank.ts';
import { SHOWN_CHARACTERS } from './search-hit.ts';
import { type Hit, type ReadHit, readHits } from './search-source.ts';

/** A hit of a page, with the ids of its copies. */
export interface FoldedHit {
  readonly hit: ReadHit;
  readonly copies: string[];
  /** The last of the ranked that the page goes up to with this hit. */
  last: Ranked<Hit>;
}

/** So many records more than the page has are read to find copies. */
const MORE = 10;
/** Shorter texts are alike by chance: two payments to one shop on one day are two payments. */
const LONG_ENOUGH = 80;

/**
 * The first so many of the ranked, those that are copies of one before them folded into it. Copies have the same words and
 * so mostly the same score: they follow one another, and those right behind the last hit belong to the page.
 */
export async function foldCopies(
  reader: GrantedReader,
  ranked: readonly Ranked<Hit>[],
  limit: number,
): Promise<FoldedHit[]> {
  const page: FoldedHit[] = [];
  const byPrint = new Map<string, FoldedHit>();
  /** Takes a hit into the page, or says that it belongs to the next one. */
  const take = (hit: ReadHit, own: Ranked<Hit>): boolean => {
    const print = printOf(hit);
    const original = print === undefined ? undefined : byPrint.get(print);
    const last = page.at(-1);
    if (original !== undefined && last !== undefined) {
      original.copies.push(hit.candidate.id);
      last.last = own;
      return true;
    }
    if (page.length >= limit) return false;
    const folded = { hit, copies: [], last: own };
    page.push(folded);
    if (print !== undefined) byPrint.set(print, folded);
    return true;
  };
  const most = Math.min(ranked.length, limit + MORE);
  for (let from = 0; from < most; ) {
    const to = Math.min(most, from + Math.max(1, limit - page.length));
    const piece = new Map(ranked.slice(from, to).map((one) => [one.candidate, one]));
    for await (const hit of readHits(reader, [...piece.keys()], SHOWN_CHARACTERS))
      if (!take(hit, piece.get(hit.candidate) as Ranked<Hit>)) return page;
    from = to;
    if (page.length >= limit && ranked[from]?.score !== page.at(-1)?.last.score) return page;
  }
  return page;
}

/** What records have in common that are copies of one another: all that is searched of them, and when they happened. */
function printOf({ texts, match }: ReadHit): string | undefined {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length < LONG_ENOUGH) return undefined;
  return JSON.stringify([match.t ?? null, ...texts.map(({ text, isTitle }) => [isTitle, text])]);
}
