import { isUnspaced, readTokens } from '../words/tokens.ts';

/** One thing to look for: a word, or a run of an unspaced script: its characters, with spaces between, as a phrase. */
export interface Term {
  readonly word: string;
  readonly kind: 'word' | 'phrase';
}

/** Which spellings of each term count. Fixed when a search begins, so that its pages agree. */
export interface Variants {
  readonly term: Term;
  readonly prefix: boolean;
  readonly similar: readonly string[];
}

const MOST_TERMS = 12;
const MOST_CHARACTERS = 500;

/** Plain words out of whatever was typed. No syntax exists, so none can break or reach anything. */
export function parseQuery(query: string): Term[] {
  const terms = new Map<string, Term>();
  for (const term of readTerms(query.slice(0, MOST_CHARACTERS))) {
    if (!terms.has(term.word)) terms.set(term.word, term);
    if (terms.size >= MOST_TERMS) break;
  }
  return [...terms.values()];
}

function* readTerms(query: string): Generator<Term> {
  let run: { word: string; end: number } | undefined;
  for (const { word, start, end } of readTokens(query)) {
    const unspaced = isUnspaced(word);
    if (run !== undefined && unspaced && run.end === start) {
      run = { word: `${run.word} ${word}`, end };
      continue;
    }
    if (run !== undefined) yield { word: run.word, kind: 'phrase' };
    run = unspaced ? { word, end } : undefined;
    if (!unspaced) yield { word, kind: 'word' };
  }
  if (run !== undefined) yield { word: run.word, kind: 'phrase' };
}
