import type { Variants } from './choose-spellings.ts';
import type { TermRole } from './find-candidates.ts';
import { MAX_RARE_RECORDS } from './find-forms.ts';
import { weighTerm } from './score.ts';
import type { SearchSource } from './search-source.ts';
import type { TermMatches } from './term-matches.ts';

/**
 * Weighs each term by the number of visible records that match it. The number is exact for terms that retrieve
 * candidates. For a common term that only boosts, it is estimated as one record in ten.
 */
export async function weighTerms(
  terms: readonly Variants[],
  matches: readonly TermMatches[],
  roles: readonly TermRole[],
  source: Pick<SearchSource<never>, 'countRecords'>,
): Promise<number[]> {
  const records = await source.countRecords();
  return terms.map(({ term, count }, index) => {
    const matching =
      roles[index] !== 'boosts'
        ? (matches[index] as TermMatches).records.length
        : count > MAX_RARE_RECORDS
          ? Math.max(MAX_RARE_RECORDS, records / 10)
          : count;
    return weighTerm(records, matching, term.times);
  });
}
