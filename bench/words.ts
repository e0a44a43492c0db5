import type Database from 'better-sqlite3';

/** The search terms of a benchmark, deterministic per store. */
export interface Words {
  /** One or two words each. Two words occur together in some record. */
  readonly ordinary: string[][];
  readonly common: string[];
  /** Questions of 10 to 20 words. */
  readonly sentences: string[];
  /** Two words that follow each other in some record. */
  readonly phrases: string[];
  readonly misspelt: { readonly typed: string; readonly meant: string }[];
}

const QUERIES = 30;
const COMMON = 5;
const MISSPELT = 10;
const SENTENCES = 20;

interface Term {
  term: string;
  doc: number;
}

export function pickWords(db: Database.Database): Words {
  const terms = (db.prepare('select term, doc from words order by term').all() as Term[]).filter(({ term }) =>
    /^[a-z]{3,14}$/.test(term),
  );
  const records = db.prepare('select coalesce(sum(n), 0) from days').pluck().get() as number;
  // Words of medium frequency: neither rare names nor common words.
  const middle = terms.filter(
    ({ term, doc }) => term.length >= 4 && doc >= records / 5_000 && doc <= records / 200,
  );
  const ordinary = takeEvenly(middle, QUERIES).map(({ term }, index) =>
    index % 2 === 0 ? [term] : [term, ...findCompanion(db, term, middle)],
  );
  const known = new Set(terms.map(({ term }) => term));
  const misspelt = takeEvenly(
    middle.filter(({ term }) => term.length >= 6),
    MISSPELT,
  )
    .map(({ term }, index) => ({ typed: misspell(term, index), meant: term }))
    .filter(({ typed }) => !known.has(typed));
  const common = terms
    .toSorted((a, b) => b.doc - a.doc || (a.term < b.term ? -1 : 1))
    .slice(0, COMMON)
    .map(({ term }) => term);
  const phrases = common.flatMap((word) => findPhrase(db, word));
  const sentences = Array.from({ length: SENTENCES }, (_, index) => askAbout(ordinary, index));
  return { ordinary, common, sentences, phrases, misspelt };
}

const QUESTIONS = [
  (a: string, b: string, c: string) => `when did somebody write to me about the ${a} and the ${b} or ${c}`,
  (a: string, b: string, c: string) =>
    `what do I know of ${a} from the messages that also speak of ${b} with ${c} in them`,
  (a: string, b: string, c: string) =>
    `show me which of the notes on ${a} were about ${b} and not so much about the ${c}`,
];

/** Returns a question with stop words and content words. */
function askAbout(ordinary: readonly string[][], index: number): string {
  const word = (at: number) => ordinary[(index + at) % ordinary.length]?.[0] ?? '';
  const ask = QUESTIONS[index % QUESTIONS.length] as (typeof QUESTIONS)[0];
  return ask(word(0), word(7), word(13));
}

/** Returns the newest record that contains a word, as JSON. */
function readNewest(db: Database.Database, term: string): string {
  const data = db
    .prepare(
      'select r.data from texts x join records r on r.rid = x.rowid where x.texts match ? order by x.rowid desc limit 1',
    )
    .pluck()
    .get(`"${term}"`) as string | undefined;
  return data ?? '';
}

/** Returns another ordinary word of the newest record that contains a word. */
function findCompanion(db: Database.Database, term: string, middle: readonly Term[]): string[] {
  const around = new Set(
    readNewest(db, term)
      .toLowerCase()
      .match(/[a-z]+/g),
  );
  const companion = middle.find((one) => one.term !== term && around.has(one.term));
  return companion === undefined ? [] : [companion.term];
}

/** Returns a word and the one after it in the newest record that contains it. */
function findPhrase(db: Database.Database, term: string): string[] {
  const found = new RegExp(`\\b${term} [a-z]{3,}`).exec(readNewest(db, term).toLowerCase());
  return found === null ? [] : [found[0]];
}

/** Makes one typing error: swaps two letters, drops one or replaces one, in turn. */
function misspell(word: string, index: number): string {
  const at = 1 + (index % (word.length - 3));
  if (index % 3 === 0) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  if (index % 3 === 1) return word.slice(0, at) + word.slice(at + 1);
  return word.slice(0, at) + (word[at] === 'x' ? 'z' : 'x') + word.slice(at + 1);
}

function takeEvenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return Array.from(
    { length: Math.min(count, list.length) },
    (_, index) => list[Math.floor(index * step)] as T,
  );
}
