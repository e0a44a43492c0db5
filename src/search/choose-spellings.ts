import { anyOf } from '../words/match-expression.ts';
import { chooseStemmers, sharedBeginning, sharesStem } from '../words/stem.ts';
import type { Language } from '../words/stop-words.ts';
import type { Term } from './parse-query.ts';
import type { CountedWord, SearchSource, Spelling } from './search-source.ts';

/** A way to write a term that counts, and how much: 1 is the word as it was typed. */
export interface Variant extends Spelling {
  readonly quality: number;
}

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
}

/** A word in more visible records than this is simply common. */
export const COMMON = 3_000;

const FORM = 0.8;
const BEGUN = 0.5;
const MISSPELT = 0.7;
/** A word in fewer records than this is also taken for the beginning of a longer one. */
const FEW = 10;
const SHORTEST_BEGINNING = 2;

type Source = Pick<SearchSource<never>, 'countMatching' | 'findForms' | 'findSimilar'>;

/** Finds the spellings that count. All of them occur in visible records, and those decide what is looked for at all. */
export async function chooseSpellings(
  term: Term,
  languages: readonly Language[],
  source: Source,
): Promise<Variants & SettledSpellings> {
  const exact: Variant = { word: term.word, isBeginning: false, quality: 1 };
  const count = (one: Spelling) => source.countMatching(anyOf([one]), COMMON + 1);
  const settled = { begins: false, similar: [] };
  let total = await count(exact);
  if (term.kind === 'phrase') return { term, spellings: [exact], count: total, ...settled };
  const forms = total > COMMON ? [] : await findForms(term.word, languages, source);
  const spellings = [exact, ...forms.map(({ word }) => ({ word, isBeginning: false, quality: FORM }))];
  for (const form of forms) total += form.count;
  if (total >= FEW || term.word.length < SHORTEST_BEGINNING)
    return { term, spellings, count: total, ...settled };
  const beginning: Variant = { word: term.word, isBeginning: true, quality: BEGUN };
  const begun = await count(beginning);
  if (begun > total && begun <= COMMON)
    return { term, spellings: [...spellings, beginning], count: total + begun, begins: true, similar: [] };
  if (total + begun > 0) return { term, spellings, count: total, ...settled };
  const found = await source.findSimilar(term.word, COMMON + 1);
  const similar = found.map(({ word }) => word);
  const misspelt = await addSimilar(similar, languages, source);
  return {
    term,
    spellings: [exact, ...misspelt.variants],
    count: misspelt.count,
    begins: false,
    similar,
  };
}

/** The same spellings as on the first page. Forms are found again: what is not changed has no new ones. */
export async function repeatSpellings(
  term: Term,
  { begins, similar }: SettledSpellings,
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
  return { term, spellings: [exact, ...others, ...(begins ? [beginning] : [])], count: 0 };
}

/** Words with the same stem. */
async function findForms(
  word: string,
  languages: readonly Language[],
  source: Source,
): Promise<CountedWord[]> {
  const stemmers = chooseStemmers(word, languages);
  const found = new Map<string, CountedWord>();
  for (const beginning of new Set(stemmers.map((stem) => sharedBeginning(word, stem)))) {
    const isForm = (other: string) =>
      other !== word && !found.has(other) && sharesStem(word, other, stemmers);
    for (const form of await source.findForms(beginning, isForm, COMMON + 1)) found.set(form.word, form);
  }
  return [...found.values()];
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
    const own = await source.countMatching(anyOf([{ word, isBeginning: false }]), COMMON + 1);
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
