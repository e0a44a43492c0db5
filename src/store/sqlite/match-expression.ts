import type { MatchTerms } from '../../words/match-terms.ts';

/**
 * Terms in the grammar of the full-text index, for some of the numbered text columns or for all of them. Only quoted
 * strings and column names of ours ever get in, so that nothing anybody types is read as syntax.
 */
export function writeExpression(terms: MatchTerms, columns?: readonly number[]): string {
  const lists = terms.map((spellings) => spellings.map(writeSpelling).join(' OR '));
  const expression =
    lists.length === 1 ? (lists[0] as string) : lists.map((list) => `(${list})`).join(' AND ');
  return columns === undefined
    ? expression
    : `{${columns.map((column) => `c${column}`).join(' ')}} : (${expression})`;
}

function writeSpelling({ word, isBeginning }: MatchTerms[number][number]): string {
  const quoted = `"${word.replaceAll('"', '""')}"`;
  return isBeginning ? `${quoted} *` : quoted;
}
