import type { Variants } from './parse-query.ts';
import { fold, type Token, tokenize } from './tokens.ts';

/** A record that matched, as far as the reader may see it. */
export interface Candidate {
  readonly id: string;
  readonly t: number | undefined;
  readonly texts: readonly { readonly field: string; readonly text: string; readonly isTitle: boolean }[];
}

export interface Ranked<T extends Candidate> {
  readonly candidate: T;
  readonly score: number;
}

/** Longer texts are ranked by their beginning; they were found by the index as a whole. */
const MOST_TOKENS = 20_000;
const MOST_CHARACTERS = 200_000;

const EXACT = 8;
const PREFIX = 5;
const SIMILAR = 3;
const TITLE = 2;

/**
 * Weights for the terms, rarer among the candidates counting more. Candidates are visible records only,
 * so nothing hidden has a say; pages after the first reuse the weights of the first.
 */
export function weighTerms(candidates: readonly Candidate[], variants: readonly Variants[]): number[] {
  const documents = candidates.map(readTokens);
  return variants.map((one) => {
    const having = documents.filter((texts) =>
      texts.some(({ tokens, text }) => bestMatch(one, tokens, text).quality > 0),
    ).length;
    return having === 0
      ? 1
      : Math.min(20, Math.max(1, Math.round(4 * Math.log(1 + candidates.length / having))));
  });
}

/** Best first; equal scores by newer time, then by id. Every record's score depends on itself alone. */
export function rankCandidates<T extends Candidate>(
  candidates: readonly T[],
  variants: readonly Variants[],
  weights: readonly number[],
): Ranked<T>[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreCandidate(candidate, variants, weights) }))
    .sort(compareRanked);
}

export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    b.score - a.score ||
    (b.candidate.t ?? 0) - (a.candidate.t ?? 0) ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}

function scoreCandidate(
  candidate: Candidate,
  variants: readonly Variants[],
  weights: readonly number[],
): number {
  let matched = 0;
  let score = 0;
  const documents = readTokens(candidate);
  for (const [index, one] of variants.entries()) {
    let best = 0;
    for (const { tokens, text, isTitle } of documents) {
      const { quality, times } = bestMatch(one, tokens, text);
      best = Math.max(best, quality * (1 + 0.2 * Math.min(3, times - 1)) * (isTitle ? TITLE : 1));
    }
    if (best > 0) matched += 1;
    score += best * (weights[index] ?? 1);
  }
  const length = documents.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const brevity = 1.2 - Math.min(0.4, length / 5_000);
  // A record with more of the words always comes before one with fewer.
  return matched * 100_000 + Math.round((score + phraseBonus(documents, variants)) * brevity * 10);
}

interface TokenizedText {
  readonly text: string;
  readonly tokens: Token[];
  readonly isTitle: boolean;
}

const tokenCache = new WeakMap<Candidate, TokenizedText[]>();

function readTokens(candidate: Candidate): TokenizedText[] {
  let texts = tokenCache.get(candidate);
  if (texts === undefined) {
    texts = candidate.texts.map(({ text, isTitle }) => ({
      text,
      isTitle,
      tokens: tokenize(text, MOST_TOKENS),
    }));
    tokenCache.set(candidate, texts);
  }
  return texts;
}

function bestMatch(
  variants: Variants,
  tokens: readonly Token[],
  text: string,
): { quality: number; times: number } {
  const { word, kind } = variants.term;
  if (kind === 'phrase') {
    const times = fold(text.slice(0, MOST_CHARACTERS)).split(word, 5).length - 1;
    return { quality: times > 0 ? EXACT : 0, times };
  }
  let quality = 0;
  let times = 0;
  for (const token of tokens) {
    const found = matchQuality(variants, token.word);
    if (found > 0) times += 1;
    if (found > quality) quality = found;
  }
  return { quality, times };
}

/** How well a word of a text fits a term: exactly, as its beginning, as a likely misspelling, or not (0). */
export function matchQuality({ term, prefix, similar }: Variants, word: string): number {
  if (word === term.word) return EXACT;
  if (prefix && word.startsWith(term.word)) return PREFIX;
  return similar.includes(word) ? SIMILAR : 0;
}

/** Words that stand together as they were typed. */
function phraseBonus(documents: readonly TokenizedText[], variants: readonly Variants[]): number {
  if (variants.length < 2) return 0;
  for (const { tokens } of documents) {
    for (let at = 0; at + variants.length <= tokens.length; at++) {
      if (variants.every((one, index) => matchQuality(one, (tokens[at + index] as Token).word) >= PREFIX))
        return 40;
    }
  }
  return 0;
}
