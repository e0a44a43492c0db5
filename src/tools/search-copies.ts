import type { GrantedReader } from '../reader/granted-reader.ts';
import type { Ranked } from '../search/rank.ts';
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
  const byHit = new Map(ranked.slice(0, limit + MORE).map((one) => [one.candidate, one]));
  const page: FoldedHit[] = [];
  const byPrint = new Map<string, FoldedHit>();
  for await (const hit of readHits(reader, [...byHit.keys()], SHOWN_CHARACTERS)) {
    const own = byHit.get(hit.candidate) as Ranked<Hit>;
    const print = printOf(hit);
    const original = print === undefined ? undefined : byPrint.get(print);
    const last = page.at(-1);
    if (original !== undefined && last !== undefined) {
      original.copies.push(hit.candidate.id);
      last.last = own;
      continue;
    }
    if (page.length >= limit) break;
    const folded = { hit, copies: [], last: own };
    page.push(folded);
    if (print !== undefined) byPrint.set(print, folded);
  }
  return page;
}

/** What records have in common that are copies of one another: all that is searched of them, and when they happened. */
function printOf({ texts, match }: ReadHit): string | undefined {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length < LONG_ENOUGH) return undefined;
  return JSON.stringify([match.t ?? null, ...texts.map(({ text, isTitle }) => [isTitle, text])]);
}
