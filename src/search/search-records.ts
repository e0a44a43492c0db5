import { DAY_MS } from '../time/durations.ts';
import {
  chooseSpellings,
  repeatSpellings,
  type SettledSpellings,
  type Variants,
} from './choose-spellings.ts';
import { findFeedback } from './feedback.ts';
import { assignRoles, findCandidates, type Role } from './find-candidates.ts';
import { MAX_TERMS, parseQuery } from './parse-query.ts';
import { type Candidate, compareRanked, type Ranked } from './rank.ts';
import { scoreNearness, scoreNewness, scoreTerm } from './score.ts';
import { scoreByWords } from './score-by-words.ts';
import type { Measured, SearchSource } from './search-source.ts';
import { findMatch, keepMatches, type TermMatch, type TermMatches } from './term-matches.ts';
import { weighTerms } from './weigh-terms.ts';

/** What the first page settled and the later ones keep to. */
export interface SearchPlan {
  readonly terms: readonly PlannedTerm[];
  /** Words of the best hits, which the hits looked for probably have too. */
  readonly added: readonly { readonly word: string; readonly weight: number }[];
  /** How many words a record usually has. */
  readonly length: number;
  /** The time that newness is measured from, where the question asks for what is recent; else 0. */
  readonly recentTo: number;
}

export interface PlannedTerm extends SettledSpellings {
  readonly role: Role;
  readonly weight: number;
}

export interface SearchOutcome<T extends Candidate> {
  readonly ranked: Ranked<T>[];
  readonly plan: SearchPlan;
  readonly variants: readonly Variants[];
  /** No hit has every word. */
  readonly relaxed: boolean;
  /** The share of the question's weight that the best covered of the first hits has, from 0 to 1. */
  readonly coverage: number;
  /** More records matched than were ranked. */
  readonly limited: boolean;
}

/** Records that are ranked by all there is to know of them; the best by their words alone. */
const CANDIDATES = 200;
/** Hits that a reader looks at first. */
const FIRST_HITS = 10;

/** How one of several wordings is searched. */
export interface WordingRules {
  readonly maxTerms?: number;
  /** Whether words of the best hits help to order the hits of a question that no record answers with all of its words. */
  readonly usesFeedback?: boolean;
}

/** Finds and ranks. What is found depends on what is visible alone, never on the page size. */
export async function searchRecords<T extends Candidate>(
  query: string,
  source: SearchSource<T>,
  now: number,
  settled?: SearchPlan,
  { maxTerms = MAX_TERMS, usesFeedback = true }: WordingRules = {},
): Promise<SearchOutcome<T>> {
  const question = parseQuery(query, maxTerms);
  const chosen = [];
  for (const [index, term] of question.terms.entries()) {
    const before = settled?.terms[index];
    chosen.push(
      before === undefined
        ? await chooseSpellings(term, question.languages, source)
        : { ...(await repeatSpellings(term, before, question.languages, source)), ...before },
    );
  }
  const roles = settled?.terms.map(({ role }) => role) ?? assignRoles(chosen);
  const found = await findCandidates(chosen, roles, source);
  const matches = keepQuoted(chosen, found.matches);
  const weights =
    settled?.terms.map(({ weight }) => weight) ?? (await weighTerms(chosen, matches, roles, source));
  const guessed = chosen.map(({ similar }) => similar.length > 0);
  const scored = { matches, weights, guessed };
  const known = new Map<number, Measured<T>>();
  const measured = await measureBest(scored, source, known);
  const usual = settled ?? {
    length: usualLength(measured.best),
    recentTo: question.wantsRecent ? Math.floor(now / DAY_MS) * DAY_MS : 0,
  };
  let ranked = rankMeasured(measured.best, scored, usual);
  let limited = found.limited || measured.limited;

  // A question that some hit answers with all of its words needs no help.
  const needsHelp = usesFeedback && !ranked.some(({ isWhole }) => isWhole);
  const added = settled?.added ?? (needsHelp ? await findFeedback(ranked, question, source) : []);
  if (added.length > 0) {
    const { matches: more } = await findCandidates(
      added.map(({ word }) => ({
        term: { word, kind: 'word', times: 1, isQuoted: false },
        spellings: [{ word, isBeginning: false, quality: 1 }],
        count: 1,
      })),
      added.map(() => 'gathers' as const),
      source,
    );
    const widened = {
      guessed,
      matches: [...matches, ...more],
      weights: [...weights, ...added.map(({ weight }) => weight)],
      asked: matches.length,
    };
    const again = await measureBest(widened, source, known);
    ranked = rankMeasured(again.best, widened, usual);
    limited ||= again.limited;
  }
  const plan = settled ?? {
    terms: chosen.map(({ begins, similar, joined }, index) => ({
      role: roles[index] as Role,
      weight: weights[index] as number,
      begins,
      similar,
      joined,
    })),
    added,
    length: usual.length,
    recentTo: usual.recentTo,
  };
  return {
    ranked: ranked.map(({ candidate, score }) => ({ candidate, score })),
    plan,
    variants: chosen,
    relaxed: !ranked.some(({ isWhole }) => isWhole),
    coverage: Math.max(0, ...ranked.slice(0, FIRST_HITS).map(({ coverage }) => coverage)),
    limited,
  };
}

/** What was quoted must be there, if it is anywhere. */
function keepQuoted(terms: readonly Variants[], matches: readonly TermMatches[]): readonly TermMatches[] {
  const quoted = matches
    .filter(({ records }, index) => terms[index]?.term.isQuoted === true && records.length > 0)
    .map(({ records }) => new Set(Array.from(records)));
  if (quoted.length === 0) return matches;
  const hasAll = (record: number) => quoted.every((records) => records.has(record));
  return matches.map((found) => keepMatches(found, hasAll));
}

interface Scored {
  readonly matches: readonly TermMatches[];
  readonly weights: readonly number[];
  /** Which terms were taken for other words, because nothing visible has them: those words cover nothing of the question. */
  readonly guessed: readonly boolean[];
  /** The first so many terms were asked for; the others were added. */
  readonly asked?: number;
}

/**
 * The best by their words alone, without length and nearness; of equals the newest. What was measured before need not
 * be again.
 */
async function measureBest<T extends Candidate>(
  { matches, weights, asked = matches.length }: Omit<Scored, 'guessed'>,
  source: Pick<SearchSource<T>, 'measureNewest'>,
  known: Map<number, Measured<T>>,
): Promise<{ best: Measured<T>[]; limited: boolean }> {
  const { records, scores } = scoreByWords(matches, weights, asked);
  const limited = scores.length > CANDIDATES;
  const last = limited ? (Float64Array.from(scores).sort().at(-CANDIDATES) as number) : -1;
  const best: Measured<T>[] = [];
  const fresh: number[] = [];
  const equal: number[] = [];
  for (let at = 0; at < records.length; at++) {
    const score = scores[at] as number;
    if (score < last) continue;
    const record = records[at] as number;
    if (score === last) {
      equal.push(record);
      continue;
    }
    const measured = known.get(record);
    if (measured === undefined) fresh.push(record);
    else best.push(measured);
  }
  best.push(...(await source.measureNewest(fresh, CANDIDATES)));
  if (equal.length > 0) best.push(...(await source.measureNewest(equal, CANDIDATES - best.length)));
  for (const one of best) known.set(one.record, one);
  return { best, limited };
}

function usualLength(measured: readonly Measured<Candidate>[]): number {
  const total = measured.reduce((sum, { words }) => sum + words, 0);
  return Math.max(1, Math.round(total / Math.max(1, measured.length)));
}

/** Two or three words are mostly meant together. */
const FEW_TERMS = 4;

function rankMeasured<T extends Candidate>(
  measured: readonly Measured<T>[],
  { matches, weights, guessed, asked = matches.length }: Scored,
  { length, recentTo }: Pick<SearchPlan, 'length' | 'recentTo'>,
): (Ranked<T> & { isWhole: boolean; coverage: number })[] {
  const sum = weights.slice(0, asked).reduce((total, weight) => total + weight, 0);
  return measured
    .map(({ record, candidate, words }) => {
      let score = 0;
      let before: TermMatch | undefined;
      let missing = 0;
      let covered = 0;
      for (const [index, found] of matches.entries()) {
        const match = findMatch(found, record);
        const weight = weights[index] as number;
        if (match !== undefined) score += scoreTerm(match.title, match.body, weight, words / length);
        if (index >= asked) continue;
        if (match === undefined) missing += 1;
        else if (guessed[index] === false) covered += weight;
        if (match !== undefined && before !== undefined)
          score += scoreNearness(before, match, Math.min(weight, weights[index - 1] as number));
        before = match;
      }
      const isWhole = missing === 0;
      if (isWhole && asked > 1 && asked <= FEW_TERMS) score += sum;
      if (recentTo > 0) score += sum * scoreNewness(candidate.t, recentTo);
      return { candidate, score: Math.round(score), isWhole, coverage: sum === 0 ? 1 : covered / sum };
    })
    .sort(compareRanked);
}
