import { foldedText } from '../words/index-text.ts';
import { countWords, matchTerm, standTogether } from './match-term.ts';
import type { Variants } from './parse-query.ts';
import { type CandidateText, shareOut } from './share-out.ts';

/** A record that matched, as far as its place goes. */
export interface Candidate {
  readonly id: string;
  readonly t: number | undefined;
}

export interface Ranked<T extends Candidate> {
  readonly candidate: T;
  readonly score: number;
}

/** All that ranking keeps of a record's text: a few numbers, so that the text can be let go of. */
export interface Features {
  /** Per term, how well it was matched at its best; 0 where it was not found. */
  readonly terms: readonly number[];
  /** Words of the text, up to where length stops mattering. */
  readonly length: number;
  readonly together: boolean;
  /** Whether all of the text was looked at. */
  readonly whole: boolean;
}

const TITLE = 2;
const TOGETHER = 40;
/** Texts of so many words or more are equally long. */
const LONG = 2_000;

/** Looks into a record's granted text, into so many characters of it. Depends on this record alone. */
export function lookInto(
  texts: readonly CandidateText[],
  variants: readonly Variants[],
  characters: number,
): Features {
  const { shares, whole } = shareOut(texts, characters);
  const terms = variants.map(() => 0);
  let length = 0;
  let together = false;
  for (const { text, isTitle } of shares) {
    const folded = foldedText(text);
    for (const [index, one] of variants.entries()) {
      const { quality, times } = matchTerm(folded, one);
      const fit = quality * (1 + 0.2 * (times - 1)) * (isTitle ? TITLE : 1);
      terms[index] = Math.max(terms[index] as number, quality === 0 ? 0 : fit);
    }
    length += countWords(folded, LONG - length);
    together ||= variants.length > 1 && standTogether(folded, variants);
  }
  return { terms, length, together, whole };
}

/**
 * Weights for the terms, rarer among the candidates counting more. Candidates are visible records only,
 * so nothing hidden has a say; pages after the first reuse the weights of the first.
 */
export function weighTerms(candidates: readonly Features[], variants: readonly Variants[]): number[] {
  return variants.map((_, index) => {
    const having = candidates.filter(({ terms }) => (terms[index] as number) > 0).length;
    return having === 0
      ? 1
      : Math.min(20, Math.max(1, Math.round(4 * Math.log(1 + candidates.length / having))));
  });
}

/** How many of the terms were found in what was looked at. */
export function countMatched({ terms }: Features): number {
  return terms.filter((fit) => fit > 0).length;
}

/** A whole number. Every record's score depends on itself and the weights alone. */
export function scoreFeatures(features: Features, weights: readonly number[]): number {
  const score = features.terms.reduce((sum, fit, index) => sum + fit * (weights[index] ?? 1), 0);
  const brevity = 1.2 - Math.min(0.4, features.length / 5_000);
  const together = features.together ? TOGETHER : 0;
  // A record with more of the words always comes before one with fewer.
  return countMatched(features) * 100_000 + Math.round((score + together) * brevity * 10);
}

/** Best first; equal scores by newer time, then by id. */
export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    b.score - a.score ||
    (b.candidate.t ?? 0) - (a.candidate.t ?? 0) ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}
