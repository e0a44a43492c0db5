import { findLanguages, isStopWord, type Language } from '../words/stop-words.ts';
import { isUnspaced, readTokens } from '../words/tokens.ts';

/** One thing to look for: a word, or words that stand one after the other: a quoted phrase, a word of an unspaced script. */
export interface Term {
  readonly word: string;
  readonly kind: 'word' | 'phrase';
  /** How often it was asked for. */
  readonly times: number;
  /** What was quoted must be there as it stands. */
  readonly isQuoted: boolean;
}

export interface Question {
  readonly terms: readonly Term[];
  readonly languages: readonly Language[];
  readonly wantsRecent: boolean;
}

/** A question of more words than this is a text; its beginning says what it is about. */
export const MAX_TERMS = 32;
const MAX_CHARACTERS = 2_000;
/** Fewer words than this are names and things, whatever they mean in some language. */
const SENTENCE = 4;

const RECENT = new Set(
  'last latest recent recently newest letzte letzten letzter letztes neueste neuesten neulich zuletzt kurzlich dernier derniere derniers dernieres recent recente recemment ultimo ultima ultimos ultimas reciente recientes ultimi ultime recenti laatste recente onlangs senaste nyligen последний последняя последние недавно'.split(
    ' ',
  ),
);

/** Words out of whatever was typed. Quotes hold a phrase together; no other character has a meaning. */
export function parseQuery(query: string, maxTerms = MAX_TERMS): Question {
  const text = query.slice(0, MAX_CHARACTERS);
  const words = [...readTokens(text)].map(({ word }) => word);
  const languages = words.length < SENTENCE ? [] : findLanguages(words);
  const wantsRecent = words.length > 1 && words.some((word) => RECENT.has(word));
  const all = [...readTerms(text)];
  const isLittle = ({ word, isQuoted }: Term) =>
    !isQuoted && (isStopWord(word, languages) || (wantsRecent && RECENT.has(word)));
  const telling = all.filter((term) => !isLittle(term));
  const terms = new Map<string, Term>();
  for (const term of telling.length > 0 ? telling : all) {
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

/** Words, and of scripts without spaces what a reader would call words. */
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

/** Up to here a run is one word: it is what someone typed to find it as it stands. */
const ONE_WORD = 4;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The words in a run of a script without spaces, each as its characters with spaces between, as the index has them.
 * Where the segments end is a guess of the platform's dictionary. The index does not rest on it: it has every character.
 */
function splitRun(run: string): string[] {
  const characters = [...readTokens(run)].map(({ word }) => word);
  if (characters.length <= ONE_WORD) return [characters.join(' ')];
  const words = [...segmenter.segment(run)].map(({ segment }) =>
    [...readTokens(segment)].map(({ word }) => word).join(' '),
  );
  // Single characters of a sentence are mostly its grammar.
  const long = words.filter((word) => word.includes(' '));
  return long.length > 0 ? long : [characters.join(' ')];
}
