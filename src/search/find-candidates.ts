import type { Variants } from './choose-spellings.ts';
import { COMMON } from './find-forms.ts';
import type { SearchSource } from './search-source.ts';
import { joinMatches, matchPostings, matchPresence, NO_MATCHES, type TermMatches } from './term-matches.ts';

/**
 * How a term takes part: its records are candidates; they are, and common terms are looked for beside it; or it only
 * adds to the score of candidates that are there.
 */
export type Role = 'gathers' | 'anchors' | 'adds';

/** Records that the terms of one search may find together. */
const MAX_RECORDS = 8_000;
/** Common terms are looked for beside so many records, and only so many terms. */
const MAX_ANCHORED = 2_000;
const MAX_COMMON_TERMS = 4;
/** Where no term is rare, so many of the newest stand for the rest. */
const NEWEST = 200;

/** The rarest first, until enough records are found. A function of how many visible records hold each term. */
export function assignRoles(terms: readonly Pick<Variants, 'count'>[]): Role[] {
  const roles = terms.map((): Role => 'adds');
  let found = 0;
  for (const [index, { count }] of [...terms.entries()].sort(([, a], [, b]) => a.count - b.count)) {
    const isFirst = found === 0;
    found += count;
    if (count > COMMON || found > MAX_RECORDS) break;
    roles[index] = count > 0 && (isFirst || found <= MAX_ANCHORED) ? 'anchors' : 'gathers';
  }
  return roles;
}

type Source = Pick<SearchSource<never>, 'findPostings' | 'listMatching' | 'listNewest' | 'countMatching'>;

export interface Candidates {
  /** For each term what each candidate has of it. */
  readonly matches: readonly TermMatches[];
  /** More records have the terms than were found. */
  readonly limited: boolean;
}

/** Finds the candidates, and what each has of each term. */
export async function findCandidates(
  terms: readonly Variants[],
  roles: readonly Role[],
  source: Source,
): Promise<Candidates> {
  const matches: TermMatches[] = [];
  for (const [index, one] of terms.entries())
    matches.push(roles[index] === 'adds' ? NO_MATCHES : await matchTerm(one, source));
  const anchors = terms.filter((_, index) => roles[index] === 'anchors');
  const adding = [...terms.entries()].filter(([index]) => roles[index] === 'adds');
  if (adding.length === 0) return { matches, limited: false };
  if (anchors.length === 0) return findCommon(adding, matches, source);
  const beside = anchors.flatMap(({ spellings }) => spellings);
  for (const [index, { spellings }] of adding.slice(0, MAX_COMMON_TERMS))
    matches[index] = matchPresence(await source.listMatching([beside, spellings], MAX_RECORDS));
  return { matches, limited: true };
}

async function matchTerm({ term, spellings }: Variants, source: Source): Promise<TermMatches> {
  if (term.kind === 'phrase') return matchPresence(await source.listMatching([spellings], MAX_RECORDS));
  let matches = NO_MATCHES;
  for (const spelling of spellings)
    matches = joinMatches(matches, matchPostings(await source.findPostings(spelling), spelling.quality));
  return matches;
}

/**
 * Every term is common. Records with all of them come first, all of those while they are few and else the newest; where there are
 * none, the newest with any of them.
 */
async function findCommon(
  terms: readonly (readonly [index: number, term: Variants])[],
  matches: TermMatches[],
  source: Source,
): Promise<Candidates> {
  const together = terms.map(([, { spellings }]) => spellings);
  const count = await source.countMatching(together, COMMON + 1);
  const records =
    count > COMMON
      ? await source.listNewest(together, NEWEST)
      : await source.listMatching(together, COMMON + 1);
  const isEnough = records.length >= NEWEST || terms.length === 1;
  for (const [index, { spellings }] of terms) {
    const others = isEnough ? [] : await source.listNewest([spellings], NEWEST);
    matches[index] = matchPresence([...records, ...others]);
  }
  return { matches, limited: !isEnough || count > COMMON };
}
