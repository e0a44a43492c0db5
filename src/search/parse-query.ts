import { isUnspaced, segment } from './segment.ts';
import { tokenize } from './tokens.ts';

/** One thing to look for: a word, or a run of an unspaced script that is looked for as a phrase. */
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
  for (const { word } of tokenize(query.slice(0, MOST_CHARACTERS).replaceAll('\0', ' '))) {
    for (const piece of splitScripts(word)) if (!terms.has(piece.word)) terms.set(piece.word, piece);
    if (terms.size >= MOST_TERMS) break;
  }
  return [...terms.values()].slice(0, MOST_TERMS);
}

/** The full-text expression for terms: every term, or any of them. Only quoted strings ever get in. */
export function toExpression(variants: readonly Variants[], join: 'all' | 'any'): string {
  return variants
    .map(({ term, prefix, similar }) => {
      const spellings = [
        `${quote(term)}${prefix ? ' *' : ''}`,
        ...similar.map((word) => quote({ word, kind: 'word' })),
      ];
      return spellings.length === 1 ? spellings[0] : `(${spellings.join(' OR ')})`;
    })
    .join(join === 'all' ? ' AND ' : ' OR ');
}

function quote(term: Term): string {
  const text = term.kind === 'phrase' ? segment(term.word).trim() : term.word;
  return `"${text.replaceAll('"', '""')}"`;
}

function splitScripts(word: string): Term[] {
  if (!isUnspaced(word)) return [{ word, kind: 'word' }];
  const pieces: Term[] = [];
  for (const character of word) {
    const kind = isUnspaced(character) ? 'phrase' : 'word';
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { word: last.word + character, kind };
    else pieces.push({ word: character, kind });
  }
  return pieces;
}
