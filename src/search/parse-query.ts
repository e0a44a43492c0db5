import { findLanguages, isStopWord, type Language } from '../words/stop-words.ts';
import { isUnspaced, readTokens } from '../words/tokens.ts';

/** A word, or consecutive words: a quoted phrase, or a word of a script without spaces. */
export interface Term {
  readonly word: string;
  readonly kind: 'word' | 'phrase';
  /** How often the query contains it. */
  readonly times: number;
  /** A quoted phrase must match exactly. */
  readonly isQuoted: boolean;
}

export interface ParsedQuery {
  readonly terms: readonly Term[];
  readonly languages: readonly Language[];
  readonly wantsRecent: boolean;
}

/** Further words of a query are ignored. */
export const MAX_TERMS = 32;
const MAX_QUERY_CHARACTERS = 2_000;
/** A shorter query is keywords: stop words are removed from sentences only. */
const MIN_SENTENCE_WORDS = 4;

const RECENCY_WORDS = new Set(
  'last latest recent recently newest letzte letzten letzter letztes neueste neuesten neulich zuletzt kurzlich dernier derniere derniers dernieres recent recente recemment ultimo ultima ultimos ultimas reciente recientes ultimi ultime recenti laatste recente onlangs senaste nyligen последний последняя последние недавно'.split(
    ' ',
  ),
);

/** Parses any text as a query. Quotes make a phrase; there is no other syntax. */
export function parseQuery(query: string, maxTerms = MAX_TERMS): ParsedQuery {
  const text = query.slice(0, MAX_QUERY_CHARACTERS);
  const words = [...readTokens(text)].map(({ word }) => word);
  const languages = words.length < MIN_SENTENCE_WORDS ? [] : findLanguages(words);
  const wantsRecent = words.length > 1 && words.some((word) => RECENCY_WORDS.has(word));
  const all = [...readTerms(text)];
  const isIgnorable = ({ word, isQuoted }: Term) =>
    !isQuoted && (isStopWord(word, languages) || (wantsRecent && RECENCY_WORDS.has(word)));
  const meaningful = all.filter((term) => !isIgnorable(term));
  const terms = new Map<string, Term>();
  for (const term of meaningful.length > 0 ? meaningful : all) {
    const known = terms.get(term.word);
    if (known === undefined && terms.size >= maxTerms) continue;
    terms.set(term.word, known === undefined ? term : { ...known, times: known.times + 1 });
  }
  return { terms: [...terms.values()], languages, wantsRecent };
}

const QUOTED = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»/g;

function* readTerms(text: string): Generator<Term> {
  let from = 0;
  for (const match of text.matchAll(QUOTED)) {
    const words = [...readTokens(match.slice(1).find((part) => part !== undefined) ?? '')];
    if (words.length < 2) continue;
    yield* readWords(text.slice(from, match.index));
    yield { word: words.map(({ word }) => word).join(' '), kind: 'phrase', times: 1, isQuoted: true };
    from = match.index + match[0].length;
  }
  yield* readWords(text.slice(from));
}

/** Yields the words of a text. Runs of scripts without spaces are split into words first. */
function* readWords(text: string): Generator<Term> {
  let run: { start: number; end: number } | undefined;
  const flush = function* (): Generator<Term> {
    if (run === undefined) return;
    for (const word of splitRun(text.slice(run.start, run.end)))
      yield { word, kind: word.includes(' ') ? 'phrase' : 'word', times: 1, isQuoted: false };
    run = undefined;
  };
  for (const { word, start, end } of readTokens(text)) {
    if (isUnspaced(word)) {
      if (run !== undefined && run.end !== start) yield* flush();
      run = { start: run?.start ?? start, end };
      continue;
    }
    yield* flush();
    yield { word, kind: 'word', times: 1, isQuoted: false };
  }
  yield* flush();
}

/** A run of up to this length is one word. */
const MAX_UNSPLIT_CHARACTERS = 4;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Splits a run of a script without spaces into words, each as characters separated by spaces, as in the index. The segmenter
 * only guesses, but the index contains every single character.
 */
function splitRun(run: string): string[] {
  const characters = [...readTokens(run)].map(({ word }) => word);
  if (characters.length <= MAX_UNSPLIT_CHARACTERS) return [characters.join(' ')];
  const words = [...segmenter.segment(run)].map(({ segment }) =>
    [...readTokens(segment)].map(({ word }) => word).join(' '),
  );
  // Single characters in a sentence are mostly particles.
  const long = words.filter((word) => word.includes(' '));
  return long.length > 0 ? long : [characters.join(' ')];
}
