import { canCompound, compoundStem, findCompoundRole, splitWord } from '../words/compounds.ts';
import { matchWord, type Spelling } from '../words/match-terms.ts';
import type { Language } from '../words/stop-words.ts';
import { type CountedVariant, findForms, MAX_RARE_RECORDS } from './find-forms.ts';
import type { SearchSource } from './search-source.ts';

/** Qualities of a compound that contains the word at its end or in its middle. */
const END_QUALITY = 0.5;
const MIDDLE_QUALITY = 0.4;
/** Qualities of the parts of a compound that no visible record contains: its end, and words with its prefix. */
const PART_QUALITY = 0.5;
const PREFIX_QUALITY = 0.35;
/** A shorter end counts only if words with the same prefix are visible too. */
const MIN_LONE_END_CHARACTERS = 7;
const MAX_FORMS = 4;

type Source = Pick<SearchSource<never>, 'countMatching' | 'findForms' | 'findCompounds'>;

/** Returns the quality of a compound or part of a term. It depends on the two words only, so pages agree. */
export function compoundQuality(term: string, { word, isPrefix }: Spelling): number {
  if (isPrefix) return PREFIX_QUALITY;
  const role = findCompoundRole(term, word);
  return role === undefined ? PART_QUALITY : role === 'end' ? END_QUALITY : MIDDLE_QUALITY;
}

/** Finds visible compounds that contain a term: at the end before in the middle, shorter before longer. */
export async function findCompounds(
  term: string,
  languages: readonly Language[],
  source: Source,
): Promise<CountedVariant[]> {
  if (!canCompound(term, languages)) return [];
  const found = await source.findCompounds(
    compoundStem(term),
    (word) => findCompoundRole(term, word),
    MAX_RARE_RECORDS + 1,
  );
  return found
    .filter(({ count }) => count <= MAX_RARE_RECORDS)
    .map(({ word, count }) => toVariant(term, { word, isPrefix: false }, count));
}

/** Finds visible parts of a compound: its end with its forms, and words with its prefix. */
export async function findParts(
  term: string,
  languages: readonly Language[],
  source: Source,
): Promise<CountedVariant[]> {
  if (!canCompound(term, languages)) return [];
  const count = (one: Spelling) => source.countMatching([[one]], MAX_RARE_RECORDS + 1);
  let loneEnds: CountedVariant[] = [];
  for (const { end, beginnings } of splitWord(term)) {
    const ends = await findEnds(end, languages, source);
    if (ends.length === 0) continue;
    const parts = ends.map((one) => toVariant(term, { word: one.word, isPrefix: false }, one.count));
    for (const word of beginnings) {
      const prefix = { word, isPrefix: true };
      const matching = await count(prefix);
      if (matching > 0 && matching <= MAX_RARE_RECORDS) return [...parts, toVariant(term, prefix, matching)];
    }
    if (loneEnds.length === 0 && end.length >= MIN_LONE_END_CHARACTERS) loneEnds = parts;
  }
  return loneEnds;
}

async function findEnds(end: string, languages: readonly Language[], source: Source) {
  const own = await source.countMatching(matchWord(end), MAX_RARE_RECORDS + 1);
  const forms = await findForms(end, languages, source);
  const all = own > 0 ? [{ word: end, count: own }, ...forms] : forms;
  return all.filter(({ count }) => count <= MAX_RARE_RECORDS).slice(0, MAX_FORMS);
}

function toVariant(term: string, spelling: Spelling, count: number): CountedVariant {
  return { ...spelling, count, quality: compoundQuality(term, spelling) };
}
