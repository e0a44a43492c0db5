import { editDistance } from '../words/edit-distance.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { SearchSource } from './search-source.ts';

const MAX_TERMS = 6;
const MAX_WORDS_PER_TERM = 3;
/** Suggested words share this prefix with the term. */
const PREFIX_CHARACTERS = 4;
const MAX_TERM_CHARACTERS = 40;

type Source = Pick<SearchSource<never>, 'findForms'>;

/**
 * Suggests visible words for terms of a search without hits. The term itself is suggested if records contain it, but a
 * filter excluded them.
 */
export async function findNearestWords(
  { terms }: ParsedQuery,
  source: Source,
): Promise<Record<string, string[]> | undefined> {
  const nearest: [string, string[]][] = [];
  for (const { word, kind } of terms.slice(0, MAX_TERMS)) {
    if (kind === 'phrase' || word.length > MAX_TERM_CHARACTERS) continue;
    const found = await findNear(word, source);
    if (found.length > 0) nearest.push([word, found]);
  }
  return nearest.length === 0 ? undefined : Object.fromEntries(nearest);
}

async function findNear(word: string, source: Source): Promise<string[]> {
  const prefix = word.slice(0, Math.max(1, Math.min(PREFIX_CHARACTERS, word.length - 1)));
  const maxDistance = Math.floor(word.length / 2);
  const distances = new Map<string, number>();
  const measure = (other: string) => {
    const distance = distances.get(other) ?? editDistance(word, other, maxDistance + 1);
    distances.set(other, distance);
    return distance;
  };
  for (let distance = 0; distance <= maxDistance; distance++) {
    // Counting to 1 is enough: the word only has to be visible.
    const found = await source.findForms(prefix, (other) => measure(other) === distance, 1);
    if (found.length > 0) return found.slice(0, MAX_WORDS_PER_TERM).map((one) => one.word);
  }
  return [];
}
