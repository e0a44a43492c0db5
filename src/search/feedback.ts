import { matchWord } from '../words/match-terms.ts';
import { findLanguages, isStopWord } from '../words/stop-words.ts';
import { readTokens } from '../words/tokens.ts';
import type { Question } from './parse-query.ts';
import type { Candidate, Ranked } from './rank.ts';
import { weighTerm } from './score.ts';
import type { SearchSource } from './search-source.ts';

/** A question of fewer words names what it wants. */
const FEWEST_TERMS = 3;
/** So many of the best hits are believed, and so much of each is read. */
const BELIEVED = 8;
const CHARACTERS = 4_000;
/** A word must be in so many of them. */
const SHARED_BY = 2;
/** So many words are looked at more closely, and so many are added. */
const LOOKED_AT = 16;
const ADDED = 8;
/** A word in more visible records than this tells too little to be added, and all of them bring in so many records. */
const MAX_HAVING = 1_500;
const MAX_EXPANDED = 3_000;
/** What an added word counts at most, against one that was asked for. In hundredths. */
const WORTH = 30;

/**
 * Words that the best hits share and the question lacks: what is about the same thing mostly says them too. They are
 * found in visible records, and weighed by how many visible records hold them.
 */
export async function findFeedback<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  { terms }: Question,
  source: SearchSource<T>,
): Promise<{ word: string; weight: number }[]> {
  const best = ranked.slice(0, BELIEVED);
  const top = best[0]?.score ?? 0;
  if (terms.length < FEWEST_TERMS || top === 0) return [];
  const asked = new Set(terms.map(({ word }) => word));
  const believed = new Map<string, { belief: number; records: number }>();
  let at = 0;
  for await (const { texts } of source.read(
    best.map((one) => one.candidate),
    CHARACTERS,
  )) {
    const share = (best[at++]?.score ?? 0) / top;
    for (const [word, times] of countWords(texts)) {
      const known = believed.get(word) ?? { belief: 0, records: 0 };
      known.belief += (share * times) / (1 + times);
      known.records += 1;
      believed.set(word, known);
    }
  }
  const looked = [...believed]
    .filter(([word, { records }]) => records >= SHARED_BY && !asked.has(word))
    .sort(([a, one], [b, other]) => other.belief - one.belief || (a < b ? -1 : 1))
    .slice(0, LOOKED_AT);
  const records = await source.countRecords();
  const found: { word: string; weight: number; having: number; worth: number }[] = [];
  for (const [word, { belief }] of looked) {
    const having = await source.countMatching(matchWord(word), MAX_HAVING + 1);
    const weight = weighTerm(records, having, 1);
    if (having <= MAX_HAVING) found.push({ word, weight, having, worth: belief * weight });
  }
  found.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
  const most = found[0]?.worth ?? 1;
  let brought = 0;
  return found
    .slice(0, ADDED)
    .filter(({ having }) => {
      brought += having;
      return brought <= MAX_EXPANDED;
    })
    .map(({ word, weight, worth }) => ({ word, weight: Math.round((weight * WORTH * worth) / most / 100) }));
}

function countWords(texts: readonly { text: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of texts) {
    const words = [...readTokens(text.slice(0, CHARACTERS))].map(({ word }) => word);
    const languages = findLanguages(words);
    for (const word of words) {
      if (word.length < 3 || /^\d/.test(word) || isStopWord(word, languages)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
