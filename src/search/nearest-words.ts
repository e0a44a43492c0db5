import { editDistance } from '../words/edit-distance.ts';
import type { Question } from './parse-query.ts';
import type { SearchSource } from './search-source.ts';

/** So many words of the question are looked at, and so many others are shown for each. */
const MAX_TERMS = 6;
const MAX_SHOWN = 3;
/** Near words begin with the same letters. */
const BEGINNING = 4;
const LONGEST = 40;
/** One record is enough to say that a word exists. */
const ONE = 1;

type Source = Pick<SearchSource<never>, 'findForms'>;

/**
 * For words that found nothing: the visible words that are likest. A word that exists itself, where a filter kept it from
 * being found, is its own nearest.
 */
export async function findNearestWords(
  { terms }: Question,
  source: Source,
): Promise<Record<string, string[]> | undefined> {
  const nearest: [string, string[]][] = [];
  for (const { word, kind } of terms.slice(0, MAX_TERMS)) {
    if (kind === 'phrase' || word.length > LONGEST) continue;
    const found = await findNear(word, source);
    if (found.length > 0) nearest.push([word, found]);
  }
  return nearest.length === 0 ? undefined : Object.fromEntries(nearest);
}

async function findNear(word: string, source: Source): Promise<string[]> {
  const beginning = word.slice(0, Math.max(1, Math.min(BEGINNING, word.length - 1)));
  const farthest = Math.floor(word.length / 2);
  const distances = new Map<string, number>();
  const measure = (other: string) => {
    const distance = distances.get(other) ?? editDistance(word, other, farthest + 1);
    distances.set(other, distance);
    return distance;
  };
  for (let distance = 0; distance <= farthest; distance++) {
    const isThatNear = (other: string) => measure(other) === distance;
    const found = await source.findForms(beginning, isThatNear, ONE);
    if (found.length > 0) return found.slice(0, MAX_SHOWN).map((one) => one.word);
  }
  return [];
}
