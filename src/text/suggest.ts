import MiniSearch, { type Query } from 'minisearch';

const MAX_NAMES = 500;
const MAX_CHARACTERS = 64;
/** A prefix of this length matches a name. */
const MIN_PREFIX_CHARACTERS = 3;
/** Words of this length can differ by two edits. */
const MIN_TWO_EDITS = 6;

/** Returns the known name that is most similar to a text, if one is similar enough. Returns only names in `known`. */
export function suggest(sent: string, known: Iterable<string>): string | undefined {
  const sentWords = splitName(sent.slice(0, MAX_CHARACTERS)).join(' ');
  // Cut again, because decomposition can lengthen a text.
  const words = splitName(sentWords.slice(0, MAX_CHARACTERS));
  if (words.length === 0) return undefined;
  const names = [...new Set(known)].slice(0, MAX_NAMES);
  const index = new MiniSearch<{ id: number; name: string }>({
    fields: ['whole', 'words'],
    tokenize: (text, field) => (field === 'whole' ? [splitName(text).join('')] : splitName(text)),
    extractField: (name, field) => (field === 'id' ? name.id : name.name),
    processTerm: (term) => term,
  });
  index.addAll(names.map((name, id) => ({ id, name })));
  // Matches the name as a whole, or each of its words.
  const query: Query = {
    combineWith: 'OR',
    queries: [
      { fields: ['whole'], queries: [words.join('')], boost: { whole: 2 } },
      {
        fields: ['words'],
        combineWith: 'AND',
        queries: words.map((word) => ({ combineWith: 'OR', queries: [word] })),
      },
    ],
  };
  const [best] = index
    .search(query, {
      tokenize: (text) => [text],
      processTerm: swapLetters,
      // The first term is the word itself; its swaps are compared exactly.
      prefix: (term, at) => at === 0 && term.length >= MIN_PREFIX_CHARACTERS,
      fuzzy: (term, at) => at === 0 && term.length > 1 && Math.max(1, Math.floor(term.length / 3)),
      bm25: { k: 1.2, b: 0, d: 0.5 },
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
  return best && names[best.id];
}

/** Splits a name into lower-case words: `createdAt` and `created_at` have the same words. */
function splitName(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the word and, if it is short, each spelling with two adjacent letters swapped, which is two edits. */
function swapLetters(word: string): string[] {
  const letters = [...word];
  const swapped = letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(''));
  return letters.length < MIN_TWO_EDITS ? [word, ...swapped] : [word];
}

/** An item that is found by its name or its details. */
export interface Named {
  readonly name: string;
  readonly detail: string;
  readonly kind: string;
}

const MAX_FOUND = 12;
/** Words of this length can have a typing error. */
const MIN_FUZZY_CHARACTERS = 4;

/** Returns the items that contain every word of a query, or words that begin with it, best first. */
export function rankByName<Item extends Named>(items: readonly Item[], query: string): Item[] {
  const index = new MiniSearch<Item & { id: number }>({
    fields: ['name', 'detail', 'kind'],
    tokenize: splitName,
    processTerm: (term) => term,
  });
  index.addAll(items.map((item, id) => ({ ...item, id })));
  return index
    .search(query.slice(0, MAX_CHARACTERS), {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length < MIN_FUZZY_CHARACTERS ? false : 0.2),
      boost: { name: 3 },
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, MAX_FOUND)
    .flatMap(({ id }) => items[id] ?? []);
}

const MAX_LISTED = 40;
const MAX_LISTED_BYTES = 1_500;

/** Returns as many names as an error should list. */
export function fewNames(names: Iterable<string>): string[] {
  const few: string[] = [];
  let bytes = 0;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 3;
    if (few.length >= MAX_LISTED || bytes > MAX_LISTED_BYTES) break;
    few.push(name);
  }
  return few;
}
