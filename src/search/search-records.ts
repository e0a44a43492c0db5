import { DAY_MS } from '../time/durations.ts';
import { chooseSpellings, repeatSpellings, type SpellingPlan, type Variants } from './choose-spellings.ts';
import { findFeedback } from './feedback.ts';
import { assignRoles, findCandidates, type TermRole } from './find-candidates.ts';
import { MAX_TERMS, type ParsedQuery, parseQuery } from './parse-query.ts';
import { type Candidate, compareRanked, type Ranked } from './rank.ts';
import { scoreProximity, scoreRecency, scoreTerm } from './score.ts';
import { scoreByWords } from './score-by-words.ts';
import type { Measured, SearchSource } from './search-source.ts';
import { filterMatches, findMatch, type TermMatch, type TermMatches } from './term-matches.ts';
import { weighTerms } from './weigh-terms.ts';

/** The decisions of the first page, which later pages reuse. */
export interface SearchPlan {
  readonly terms: readonly PlannedTerm[];
  /** Words of the best hits that were added to the query. */
  readonly expansion: readonly ExpansionTerm[];
  /** The average number of words of a record. */
  readonly averageLength: number;
  /** The time that recency is measured from, if the query asks for recent records; otherwise 0. */
  readonly recentTo: number;
}

export interface PlannedTerm extends SpellingPlan {
  readonly role: TermRole;
  readonly weight: number;
}

interface ExpansionTerm {
  readonly word: string;
  readonly weight: number;
}

export interface SearchOutcome<T extends Candidate> {
  readonly ranked: Ranked<T>[];
  readonly plan: SearchPlan;
  readonly variants: readonly Variants[];
  /** No hit has every word. */
  readonly relaxed: boolean;
  /** The highest share of the query's weight that one of the first hits matches, from 0 to 1. */
  readonly coverage: number;
  /** More records matched than were ranked. */
  readonly limited: boolean;
}

/** The number of best records by words alone. Only these are ranked with length, proximity and recency. */
const MAX_RANKED_RECORDS = 200;
/** The number of hits that `coverage` takes into account. */
const FIRST_HITS = 10;

/** Options for one wording of a query. */
export interface WordingRules {
  readonly maxTerms?: number;
  /** Whether words of the best hits are added to a query that no record matches with all of its words. */
  readonly usesFeedback?: boolean;
}

/** Finds and ranks visible records. The result does not depend on the page size. */
export async function searchRecords<T extends Candidate>(
  query: string,
  source: SearchSource<T>,
  now: number,
  previous?: SearchPlan,
  { maxTerms = MAX_TERMS, usesFeedback = true }: WordingRules = {},
): Promise<SearchOutcome<T>> {
  const parsed = parseQuery(query, maxTerms);
  const terms = await chooseTerms(parsed, source, previous);
  const roles = previous?.terms.map(({ role }) => role) ?? assignRoles(terms);
  const found = await findCandidates(terms, roles, source);
  const matches = requireQuoted(terms, found.matches);
  const weights =
    previous?.terms.map(({ weight }) => weight) ?? (await weighTerms(terms, matches, roles, source));
  const guessed = terms.map(({ similar }) => similar.length > 0);
  const initial: Scoring = { matches, weights, guessed, queryTerms: matches.length };
  const known = new Map<number, Measured<T>>();
  const measured = await measureBest(initial, source, known);
  const basis = previous ?? {
    averageLength: averageLength(measured.best),
    recentTo: parsed.wantsRecent ? Math.floor(now / DAY_MS) * DAY_MS : 0,
  };
  let ranked = rankMeasured(measured.best, initial, basis);
  let limited = found.limited || measured.limited;

  const needsFeedback = usesFeedback && !ranked.some(({ isWhole }) => isWhole);
  const expansion = previous?.expansion ?? (needsFeedback ? await findFeedback(ranked, parsed, source) : []);
  if (expansion.length > 0) {
    const expanded = await expand(initial, expansion, source);
    const again = await measureBest(expanded, source, known);
    ranked = rankMeasured(again.best, expanded, basis);
    limited ||= again.limited;
  }
  const planTerms = () =>
    terms.map(({ usesPrefix, similar, compounds }, index) => ({
      role: roles[index] as TermRole,
      weight: weights[index] as number,
      usesPrefix,
      similar,
      compounds,
    }));
  return {
    ranked: ranked.map(({ candidate, score }) => ({ candidate, score })),
    plan: previous ?? { terms: planTerms(), expansion, ...basis },
    variants: terms,
    relaxed: !ranked.some(({ isWhole }) => isWhole),
    coverage: Math.max(0, ...ranked.slice(0, FIRST_HITS).map(({ coverage }) => coverage)),
    limited,
  };
}

/** Chooses the spellings of all terms at once: a database on the network answers them together. */
function chooseTerms(
  { terms, languages }: ParsedQuery,
  source: SearchSource<Candidate>,
  previous: SearchPlan | undefined,
): Promise<(Variants & SpellingPlan)[]> {
  return Promise.all(
    terms.map(async (term, index) => {
      const planned = previous?.terms[index];
      return planned === undefined
        ? chooseSpellings(term, languages, source)
        : { ...(await repeatSpellings(term, planned, languages, source)), ...planned };
    }),
  );
}

async function expand(
  { matches, weights, ...rest }: Scoring,
  expansion: readonly ExpansionTerm[],
  source: SearchSource<Candidate>,
): Promise<Scoring> {
  const added = await findCandidates(
    expansion.map(({ word }) => ({
      term: { word, kind: 'word', times: 1, isQuoted: false },
      spellings: [{ word, isPrefix: false, quality: 1 }],
      count: 1,
    })),
    expansion.map(() => 'retrieves' as const),
    source,
  );
  return {
    ...rest,
    matches: [...matches, ...added.matches],
    weights: [...weights, ...expansion.map(({ weight }) => weight)],
  };
}

/** Keeps records with every quoted phrase that matches at least one record. */
function requireQuoted(terms: readonly Variants[], matches: readonly TermMatches[]): readonly TermMatches[] {
  const quoted = matches
    .filter(({ records }, index) => terms[index]?.term.isQuoted === true && records.length > 0)
    .map(({ records }) => new Set(Array.from(records)));
  if (quoted.length === 0) return matches;
  const hasAll = (record: number) => quoted.every((records) => records.has(record));
  return matches.map((found) => filterMatches(found, hasAll));
}

interface Scoring {
  readonly matches: readonly TermMatches[];
  readonly weights: readonly number[];
  /** Whether each term was corrected to a similar word. Corrected terms do not count as covered. */
  readonly guessed: readonly boolean[];
  /** The number of terms of the query; the terms after them are the expansion. */
  readonly queryTerms: number;
}

/** Returns the best records by their words alone, without length and proximity. If scores are equal, the newest. */
async function measureBest<T extends Candidate>(
  { matches, weights, queryTerms }: Scoring,
  source: Pick<SearchSource<T>, 'measureNewest'>,
  known: Map<number, Measured<T>>,
): Promise<{ best: Measured<T>[]; limited: boolean }> {
  const { records, scores } = scoreByWords(matches, weights, queryTerms);
  const limited = scores.length > MAX_RANKED_RECORDS;
  const threshold = limited ? (Float64Array.from(scores).sort().at(-MAX_RANKED_RECORDS) as number) : -1;
  const best: Measured<T>[] = [];
  const fresh: number[] = [];
  const equal: number[] = [];
  for (let at = 0; at < records.length; at++) {
    const score = scores[at] as number;
    if (score < threshold) continue;
    const record = records[at] as number;
    if (score === threshold) {
      equal.push(record);
      continue;
    }
    const measured = known.get(record);
    if (measured === undefined) fresh.push(record);
    else best.push(measured);
  }
  best.push(...(await source.measureNewest(fresh, MAX_RANKED_RECORDS)));
  if (equal.length > 0) best.push(...(await source.measureNewest(equal, MAX_RANKED_RECORDS - best.length)));
  for (const one of best) known.set(one.record, one);
  return { best, limited };
}

function averageLength(measured: readonly Measured<Candidate>[]): number {
  const total = measured.reduce((sum, { words }) => sum + words, 0);
  return Math.max(1, Math.round(total / Math.max(1, measured.length)));
}

/** A record with every term gets a bonus if the query has at most this many terms. */
const MAX_BONUS_TERMS = 4;

function rankMeasured<T extends Candidate>(
  measured: readonly Measured<T>[],
  { matches, weights, guessed, queryTerms }: Scoring,
  { averageLength: usual, recentTo }: Pick<SearchPlan, 'averageLength' | 'recentTo'>,
): (Ranked<T> & { isWhole: boolean; coverage: number })[] {
  const sum = weights.slice(0, queryTerms).reduce((total, weight) => total + weight, 0);
  return measured
    .map(({ record, candidate, words }) => {
      let score = 0;
      let previous: TermMatch | undefined;
      let missing = 0;
      let covered = 0;
      for (const [index, found] of matches.entries()) {
        const match = findMatch(found, record);
        const weight = weights[index] as number;
        if (match !== undefined) score += scoreTerm(match.title, match.body, weight, words / usual);
        if (index >= queryTerms) continue;
        if (match === undefined) missing += 1;
        else if (guessed[index] === false) covered += weight;
        if (match !== undefined && previous !== undefined)
          score += scoreProximity(previous, match, Math.min(weight, weights[index - 1] as number));
        previous = match;
      }
      const isWhole = missing === 0;
      if (isWhole && queryTerms > 1 && queryTerms <= MAX_BONUS_TERMS) score += sum;
      if (recentTo > 0) score += sum * scoreRecency(candidate.t, recentTo);
      return { candidate, score: Math.round(score), isWhole, coverage: sum === 0 ? 1 : covered / sum };
    })
    .sort(compareRanked);
}
