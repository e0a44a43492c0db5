import { type CountedWord, matchWord, type Spelling } from '../words/match-terms.ts';
import type { Language } from '../words/stop-words.ts';
import { compoundQuality, findCompounds, findParts } from './choose-compounds.ts';
import { findForms, MAX_RARE_RECORDS, type Variant } from './find-forms.ts';
import type { Term } from './parse-query.ts';
import type { SearchSource } from './search-source.ts';

/** A term with the spellings that match it. */
export interface Variants {
  readonly term: Term;
  readonly spellings: readonly Variant[];
  /** Matching records, counted up to MAX_RARE_RECORDS. A record with two spellings counts twice. */
  readonly count: number;
}

/** The choice of spellings on the first page. Later pages reuse it, because the data may have changed. */
export interface SpellingPlan {
  readonly usesPrefix: boolean;
  readonly similar: readonly string[];
  /** Compounds that contain the word, or parts of the word. */
  readonly compounds: readonly Spelling[];
}

const FORM_QUALITY = 0.8;
const PREFIX_QUALITY = 0.5;
const SIMILAR_QUALITY = 0.7;
/** A word in fewer records than this also matches as a prefix. */
const MIN_EXACT_RECORDS = 10;
const MIN_PREFIX_CHARACTERS = 2;

type Source = Pick<SearchSource<never>, 'countMatching' | 'findForms' | 'findSimilar' | 'findCompounds'>;

/** Chooses the spellings of a term by what visible records contain. */
export async function chooseSpellings(
  term: Term,
  languages: readonly Language[],
  source: Source,
): Promise<Variants & SpellingPlan> {
  const exact: Variant = { word: term.word, isPrefix: false, quality: 1 };
  const count = (one: Spelling) => source.countMatching([[one]], MAX_RARE_RECORDS + 1);
  const exactOnly = { usesPrefix: false, similar: [], compounds: [] };
  let total = await count(exact);
  if (term.kind === 'phrase') return { term, spellings: [exact], count: total, ...exactOnly };
  const forms = total > MAX_RARE_RECORDS ? [] : await findForms(term.word, languages, source);
  const spellings = [exact, ...forms.map(toFormVariant)];
  for (const form of forms) total += form.count;
  if (total >= MIN_EXACT_RECORDS || term.word.length < MIN_PREFIX_CHARACTERS)
    return { term, spellings, count: total, ...exactOnly };
  const prefix = toPrefixVariant(term);
  const prefixCount = await count(prefix);
  const usesPrefix = prefixCount > total && prefixCount <= MAX_RARE_RECORDS;
  const isKnown = total + prefixCount > 0;
  if (usesPrefix) {
    spellings.push(prefix);
    total += prefixCount;
  }
  const found = isKnown ? [] : await source.findSimilar(term.word, MAX_RARE_RECORDS + 1);
  const similar = found.map(({ word }) => word);
  const corrected = await findSimilarVariants(similar, languages, source);
  let compounds = similar.length > 0 ? [] : await findCompounds(term.word, languages, source);
  if (!isKnown && similar.length + compounds.length === 0)
    compounds = await findParts(term.word, languages, source);
  return {
    term,
    spellings: [...spellings, ...corrected.variants, ...compounds],
    count: compounds.reduce((sum, one) => sum + one.count, total + corrected.count),
    usesPrefix,
    similar,
    compounds: compounds.map(({ word, isPrefix }) => ({ word, isPrefix })),
  };
}

/** Returns the spellings of the first page. Forms are not in the plan: unchanged records have no new ones. */
export async function repeatSpellings(
  term: Term,
  { usesPrefix, similar, compounds }: SpellingPlan,
  languages: readonly Language[],
  source: Source,
): Promise<Variants> {
  const exact: Variant = { word: term.word, isPrefix: false, quality: 1 };
  if (term.kind === 'phrase') return { term, spellings: [exact], count: 0 };
  const others =
    similar.length > 0
      ? (await findSimilarVariants(similar, languages, source)).variants
      : (await findForms(term.word, languages, source)).map(toFormVariant);
  const prefix = usesPrefix ? [toPrefixVariant(term)] : [];
  const parts = compounds.map((one) => ({ ...one, quality: compoundQuality(term.word, one) }));
  return { term, spellings: [exact, ...others, ...prefix, ...parts], count: 0 };
}

const toFormVariant = ({ word }: CountedWord): Variant => ({ word, isPrefix: false, quality: FORM_QUALITY });
const toPrefixVariant = ({ word }: Term): Variant => ({ word, isPrefix: true, quality: PREFIX_QUALITY });

/** Returns corrections of a misspelled word, with their forms. */
async function findSimilarVariants(
  similar: readonly string[],
  languages: readonly Language[],
  source: Source,
): Promise<{ variants: Variant[]; count: number }> {
  const qualities = new Map<string, number>();
  let count = 0;
  for (const word of similar) {
    const own = await source.countMatching(matchWord(word), MAX_RARE_RECORDS + 1);
    const forms = [{ word, count: own, quality: SIMILAR_QUALITY }];
    for (const form of await findForms(word, languages, source))
      forms.push({ ...form, quality: SIMILAR_QUALITY * FORM_QUALITY });
    for (const form of forms) {
      if (!qualities.has(form.word)) count += form.count;
      qualities.set(form.word, Math.max(qualities.get(form.word) ?? 0, form.quality));
    }
  }
  const variants = [...qualities].map(([word, quality]) => ({ word, isPrefix: false, quality }));
  return { variants, count };
}
