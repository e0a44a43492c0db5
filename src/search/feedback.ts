import { matchWord } from '../words/match-terms.ts';
import { findLanguages, isStopWord } from '../words/stop-words.ts';
import { readTokens } from '../words/tokens.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Candidate, Ranked } from './rank.ts';
import { weighTerm } from './score.ts';
import type { SearchSource } from './search-source.ts';

/** A shorter query already names what it wants. */
const MIN_TERMS = 3;
const FEEDBACK_HITS = 8;
const MAX_HIT_CHARACTERS = 4_000;
/** A word must be in this many of the hits. */
const MIN_SHARING_HITS = 2;
const MAX_CONSIDERED_WORDS = 16;
const MAX_ADDED_WORDS = 8;
/** Limits of the visible records that one added word, and all of them together, may match. */
const MAX_WORD_RECORDS = 1_500;
const MAX_ADDED_RECORDS = 3_000;
/** The highest weight of an added word, in percent of that of a query term. */
const MAX_WEIGHT_PERCENT = 30;

/**
 * Finds expansion terms by pseudo-relevance feedback: words that the best hits share and the query lacks. They come from
 * visible records and are weighted by visible counts.
 */
export async function findFeedback<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  { terms }: ParsedQuery,
  source: SearchSource<T>,
): Promise<{ word: string; weight: number }[]> {
  const best = ranked.slice(0, FEEDBACK_HITS);
  const top = best[0]?.score ?? 0;
  if (terms.length < MIN_TERMS || top === 0) return [];
  const asked = new Set(terms.map(({ word }) => word));
  const evidence = new Map<string, { strength: number; hits: number }>();
  let at = 0;
  for await (const { texts } of source.read(
    best.map((one) => one.candidate),
    MAX_HIT_CHARACTERS,
  )) {
    const share = (best[at++]?.score ?? 0) / top;
    for (const [word, times] of countWords(texts)) {
      const known = evidence.get(word) ?? { strength: 0, hits: 0 };
      known.strength += (share * times) / (1 + times);
      known.hits += 1;
      evidence.set(word, known);
    }
  }
  const considered = [...evidence]
    .filter(([word, { hits }]) => hits >= MIN_SHARING_HITS && !asked.has(word))
    .sort(([a, one], [b, other]) => other.strength - one.strength || (a < b ? -1 : 1))
    .slice(0, MAX_CONSIDERED_WORDS);
  const records = await source.countRecords();
  const counts = await Promise.all(
    considered.map(([word]) => source.countMatching(matchWord(word), MAX_WORD_RECORDS + 1)),
  );
  const found = considered.flatMap(([word, { strength }], index) => {
    const matching = counts[index] as number;
    const weight = weighTerm(records, matching, 1);
    return matching > MAX_WORD_RECORDS ? [] : { word, weight, matching, value: strength * weight };
  });
  found.sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1));
  const highest = found[0]?.value ?? 1;
  let total = 0;
  return found
    .slice(0, MAX_ADDED_WORDS)
    .filter(({ matching }) => {
      total += matching;
      return total <= MAX_ADDED_RECORDS;
    })
    .map(({ word, weight, value }) => ({
      word,
      weight: Math.round((weight * MAX_WEIGHT_PERCENT * value) / highest / 100),
    }));
}

function countWords(texts: readonly { text: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of texts) {
    const words = [...readTokens(text.slice(0, MAX_HIT_CHARACTERS))].map(({ word }) => word);
    const languages = findLanguages(words);
    for (const word of words) {
      if (word.length < 3 || /^\d/.test(word) || isStopWord(word, languages)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
