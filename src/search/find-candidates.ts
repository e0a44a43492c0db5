import type { Variants } from './choose-spellings.ts';
import { MAX_RARE_RECORDS, type Variant } from './find-forms.ts';
import type { SearchSource } from './search-source.ts';
import { joinMatches, matchPostings, matchPresence, NO_MATCHES, type TermMatches } from './term-matches.ts';

/**
 * The role of a term. `retrieves`: its records are candidates. `anchors`: the same, and common terms are matched within its
 * records. `boosts`: it only raises the score of candidates.
 */
export type TermRole = 'retrieves' | 'anchors' | 'boosts';

/** Candidates that all terms of a search retrieve together. */
const MAX_CANDIDATES = 8_000;
/** Records within which common terms are matched. */
const MAX_ANCHOR_RECORDS = 2_000;
const MAX_COMMON_TERMS = 4;
/** Candidates if every term is common. */
const MAX_NEWEST_RECORDS = 200;

/** Assigns roles from the rarest term to the most frequent, until there are enough candidates. Uses visible counts only. */
export function assignRoles(terms: readonly Pick<Variants, 'count'>[]): TermRole[] {
  const roles = terms.map((): TermRole => 'boosts');
  let found = 0;
  for (const [index, { count }] of [...terms.entries()].sort(([, a], [, b]) => a.count - b.count)) {
    const isFirst = found === 0;
    found += count;
    if (count > MAX_RARE_RECORDS || found > MAX_CANDIDATES) break;
    roles[index] = count > 0 && (isFirst || found <= MAX_ANCHOR_RECORDS) ? 'anchors' : 'retrieves';
  }
  return roles;
}

type Source = Pick<SearchSource<never>, 'findPostings' | 'listMatching' | 'listNewest' | 'countMatching'>;

export interface Candidates {
  /** The matches of each term. */
  readonly matches: readonly TermMatches[];
  /** Whether more records match than were found. */
  readonly limited: boolean;
}

/** Finds the candidates of a search and the matches of each term. */
export async function findCandidates(
  terms: readonly Variants[],
  roles: readonly TermRole[],
  source: Source,
): Promise<Candidates> {
  const matches = await Promise.all(
    terms.map((one, index) => (roles[index] === 'boosts' ? NO_MATCHES : matchTerm(one, source))),
  );
  const anchors = terms.filter((_, index) => roles[index] === 'anchors');
  const boosting = [...terms.entries()].filter(([index]) => roles[index] === 'boosts');
  if (boosting.length === 0) return { matches, limited: false };
  if (anchors.length === 0) return findCommon(boosting, matches, source);
  const anchorSpellings = anchors.flatMap(({ spellings }) => spellings);
  for (const [index, { spellings }] of boosting.slice(0, MAX_COMMON_TERMS))
    matches[index] = matchPresence(await source.listMatching([anchorSpellings, spellings], MAX_CANDIDATES));
  return { matches, limited: true };
}

async function matchTerm({ term, spellings }: Variants, source: Source): Promise<TermMatches> {
  if (term.kind === 'phrase') return matchPresence(await source.listMatching([spellings], MAX_CANDIDATES));
  const found = await Promise.all(spellings.map((spelling) => source.findPostings(spelling)));
  return found.reduce(
    (matches, postings, index) =>
      joinMatches(matches, matchPostings(postings, (spellings[index] as Variant).quality)),
    NO_MATCHES,
  );
}

/**
 * Finds candidates if every term is common: records with all terms, or the newest of them if there are many. If those are
 * few, the newest records with each term as well.
 */
async function findCommon(
  terms: readonly (readonly [index: number, term: Variants])[],
  matches: TermMatches[],
  source: Source,
): Promise<Candidates> {
  const together = terms.map(([, { spellings }]) => spellings);
  const count = await source.countMatching(together, MAX_RARE_RECORDS + 1);
  const records =
    count > MAX_RARE_RECORDS
      ? await source.listNewest(together, MAX_NEWEST_RECORDS)
      : await source.listMatching(together, MAX_RARE_RECORDS + 1);
  const isEnough = records.length >= MAX_NEWEST_RECORDS || terms.length === 1;
  for (const [index, { spellings }] of terms) {
    const others = isEnough ? [] : await source.listNewest([spellings], MAX_NEWEST_RECORDS);
    matches[index] = matchPresence([...records, ...others]);
  }
  return { matches, limited: !isEnough || count > MAX_RARE_RECORDS };
}
