import { matchWord, type Spelling } from '../words/match-terms.ts';
import type { Language } from '../words/stop-words.ts';
import { findCompounds, findParts, worthOfPart } from './choose-compounds.ts';
import { COMMON, findForms, type Variant } from './find-forms.ts';
import type { Term } from './parse-query.ts';
import type { SearchSource } from './search-source.ts';

/** A term with every spelling of it that counts. */
export interface Variants {
  readonly term: Term;
  readonly spellings: readonly Variant[];
  /** Records that hold it, counted up to COMMON; one that holds two spellings counts twice. */
  readonly count: number;
}

/** What the first page settled about spellings, because later changes to the data could settle it otherwise. */
export interface SettledSpellings {
  readonly begins: boolean;
  readonly similar: readonly string[];
  /** Longer words that the word is a part of, or parts of the word. */
  readonly joined: readonly Spelling[];
}

const FORM = 0.8;
const BEGUN = 0.5;
const MISSPELT = 0.7;
/** A word in fewer records than this is also taken for the beginning of a longer one. */
const FEW = 10;
const SHORTEST_BEGINNING = 2;

type Source = Pick<SearchSource<never>, 'countMatching' | 'findForms' | 'findSimilar' | 'findCompounds'>;

/** Finds the spellings that count. All of them occur in visible records, and those decide what is looked for at all. */
export async function chooseSpellings(
  term: Term,
  languages: readonly Language[],
  source: Source,
): Promise<Variants & SettledSpellings> {
  const exact: Variant = { word: term.word, isBeginning: false, quality: 1 };
  const count = (one: Spelling) => source.countMatching([[one]], COMMON + 1);
  const settled = { begins: false, similar: [], joined: [] };
  let total = await count(exact);
  if (term.kind === 'phrase') return { term, spellings: [exact], count: total, ...settled };
  const forms = total > COMMON ? [] : await findForms(term.word, languages, source);
  const spellings = [exact, ...forms.map(({ word }) => ({ word, isBeginning: false, quality: FORM }))];
  for (const form of forms) total += form.count;
  if (total >= FEW || term.word.length < SHORTEST_BEGINNING)
    return { term, spellings, count: total, ...settled };
  const beginning: Variant = { word: term.word, isBeginning: true, quality: BEGUN };
  const begun = await count(beginning);
  const begins = begun > total && begun <= COMMON;
  const isThere = total + begun > 0;
  if (begins) {
    spellings.push(beginning);
    total += begun;
  }
  const found = isThere ? [] : await source.findSimilar(term.word, COMMON + 1);
  const similar = found.map(({ word }) => word);
  const misspelt = await addSimilar(similar, languages, source);
  let joined = similar.length > 0 ? [] : await findCompounds(term.word, languages, source);
  if (!isThere && similar.length + joined.length === 0)
    joined = await findParts(term.word, languages, source);
  return {
    term,
    spellings: [...spellings, ...misspelt.variants, ...joined],
    count: joined.reduce((sum, one) => sum + one.count, total + misspelt.count),
    begins,
    similar,
    joined: joined.map(({ word, isBeginning }) => ({ word, isBeginning })),
  };
}

/** The same spellings as on the first page. Forms are found again: what is not changed has no new ones. */
export async function repeatSpellings(
  term: Term,
  { begins, similar, joined }: SettledSpellings,
  languages: readonly Language[],
  source: Source,
): Promise<Variants> {
  const exact: Variant = { word: term.word, isBeginning: false, quality: 1 };
  if (term.kind === 'phrase') return { term, spellings: [exact], count: 0 };
  const others =
    similar.length > 0
      ? (await addSimilar(similar, languages, source)).variants
      : (await findForms(term.word, languages, source)).map(({ word }) => ({
          word,
          isBeginning: false,
          quality: FORM,
        }));
  const beginning = { word: term.word, isBeginning: true, quality: BEGUN };
  const parts = joined.map((one) => ({ ...one, quality: worthOfPart(term.word, one) }));
  return { term, spellings: [exact, ...others, ...(begins ? [beginning] : []), ...parts], count: 0 };
}

/** What a misspelt word may mean, with its forms: it was not typed in any of them. */
async function addSimilar(
  similar: readonly string[],
  languages: readonly Language[],
  source: Source,
): Promise<{ variants: Variant[]; count: number }> {
  const qualities = new Map<string, number>();
  let count = 0;
  for (const word of similar) {
    const own = await source.countMatching(matchWord(word), COMMON + 1);
    const forms = [{ word, count: own, quality: MISSPELT }];
    for (const form of await findForms(word, languages, source))
      forms.push({ ...form, quality: MISSPELT * FORM });
    for (const form of forms) {
      if (!qualities.has(form.word)) count += form.count;
      qualities.set(form.word, Math.max(qualities.get(form.word) ?? 0, form.quality));
    }
  }
  const variants = [...qualities].map(([word, quality]) => ({ word, isBeginning: false, quality }));
  return { variants, count };
}
