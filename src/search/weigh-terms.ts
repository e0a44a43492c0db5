import type { Variants } from './choose-spellings.ts';
import type { Role } from './find-candidates.ts';
import { COMMON } from './find-forms.ts';
import { weighTerm } from './score.ts';
import type { SearchSource } from './search-source.ts';
import type { TermMatches } from './term-matches.ts';

/**
 * What each term weighs, by how many visible records hold it. That is exact for what gathers candidates; of a common
 * term is only known that it is common, and one in ten is taken for it.
 */
export async function weighTerms(
  terms: readonly Variants[],
  matches: readonly TermMatches[],
  roles: readonly Role[],
  source: Pick<SearchSource<never>, 'countRecords'>,
): Promise<number[]> {
  const records = await source.countRecords();
  return terms.map(({ term, count }, index) => {
    const having =
      roles[index] !== 'adds'
        ? (matches[index] as TermMatches).records.length
        : count > COMMON
          ? Math.max(COMMON, records / 10)
          : count;
    return weighTerm(records, having, term.times);
  });
}
