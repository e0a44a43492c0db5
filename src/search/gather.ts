import { allOf, anyOf } from '../words/match-expression.ts';
import type { Variants } from './choose-spellings.ts';
import { COMMON } from './find-forms.ts';
import type { SearchSource } from './search-source.ts';
import { joinMatches, matchPostings, matchPresence, NO_MATCHES, type TermMatches } from './term-matches.ts';

/**
 * How a term takes part: its records are candidates; they are, and common terms are looked for beside it; or it only
 * adds to the score of candidates that are there.
 */
export type Role = 'gathers' | 'anchors' | 'adds';

/** Records that the terms of one search may bring in, over all of them. */
const MOST_GATHERED = 8_000;
/** Common terms are looked for beside so many records, and only so many terms. */
const MOST_ANCHORED = 2_000;
const MOST_COMMON_TERMS = 4;
/** Where no term is rare, so many of the newest stand for the rest. */
const NEWEST = 200;

/** The rarest first, until enough is gathered. A function of how many visible records hold each term. */
export function assignRoles(terms: readonly Pick<Variants, 'count'>[]): Role[] {
  const roles = terms.map((): Role => 'adds');
  let gathered = 0;
  for (const [index, { count }] of [...terms.entries()].sort(([, a], [, b]) => a.count - b.count)) {
    const isFirst = gathered === 0;
    gathered += count;
    if (count > COMMON || gathered > MOST_GATHERED) break;
    roles[index] = count > 0 && (isFirst || gathered <= MOST_ANCHORED) ? 'anchors' : 'gathers';
  }
  return roles;
}

type Source = Pick<SearchSource<never>, 'findPostings' | 'listMatching' | 'listNewest' | 'countMatching'>;

export interface Gathered {
  /** For each term what each candidate has of it. */
  readonly matches: readonly TermMatches[];
  /** There are more records with the terms than were gathered. */
  readonly limited: boolean;
}

/** Finds the candidates, and what each has of each term. */
export async function gather(
  terms: readonly Variants[],
  roles: readonly Role[],
  source: Source,
): Promise<Gathered> {
  const matches: TermMatches[] = [];
  for (const [index, one] of terms.entries())
    matches.push(roles[index] === 'adds' ? NO_MATCHES : await gatherTerm(one, source));
  const anchors = terms.filter((_, index) => roles[index] === 'anchors');
  const adding = [...terms.entries()].filter(([index]) => roles[index] === 'adds');
  if (adding.length === 0) return { matches, limited: false };
  if (anchors.length === 0) return gatherCommon(adding, matches, source);
  const beside = anyOf(anchors.flatMap(({ spellings }) => spellings));
  for (const [index, { spellings }] of adding.slice(0, MOST_COMMON_TERMS))
    matches[index] = matchPresence(
      await source.listMatching(allOf([beside, anyOf(spellings)]), MOST_GATHERED),
    );
  return { matches, limited: true };
}

async function gatherTerm({ term, spellings }: Variants, source: Source): Promise<TermMatches> {
  if (term.kind === 'phrase')
    return matchPresence(await source.listMatching(anyOf(spellings), MOST_GATHERED));
  let matches = NO_MATCHES;
  for (const spelling of spellings)
    matches = joinMatches(matches, matchPostings(await source.findPostings(spelling), spelling.quality));
  return matches;
}

/**
 * Every term is common. Records with all of them come first, all of those while they are few and else the newest; where there are
 * none, the newest with any of them.
 */
async function gatherCommon(
  terms: readonly (readonly [index: number, term: Variants])[],
  matches: TermMatches[],
  source: Source,
): Promise<Gathered> {
  const each = terms.map(([index, { spellings }]) => ({ index, expression: anyOf(spellings) }));
  const together = allOf(each.map(({ expression }) => expression));
  const count = await source.countMatching(together, COMMON + 1);
  const records =
    count > COMMON
      ? await source.listNewest(together, NEWEST)
      : await source.listMatching(together, COMMON + 1);
  const isEnough = records.length >= NEWEST || terms.length === 1;
  for (const { index, expression } of each) {
    const others = isEnough ? [] : await source.listNewest(expression, NEWEST);
    matches[index] = matchPresence([...records, ...others]);
  }
  return { matches, limited: !isEnough || count > COMMON };
}
