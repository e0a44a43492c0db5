import { invalidCursor } from '../../reads/granted-read.ts';
import type { TermRole } from '../../search/find-candidates.ts';
import type { Ranked } from '../../search/rank.ts';
import type { SearchPlan } from '../../search/search-records.ts';
import type { WordingPlan } from '../../search/search-wordings.ts';
import { writeRecordId } from '../record-view.ts';
import type { Hit } from './search-source.ts';

/** The content of a cursor: the plan of the search, and the score, time and record of the last hit shown. */
export type Position = [
  plan: PackedPlan | PackedWordings | [version: typeof NO_PLAN],
  score: number,
  t: number | null,
  connectionId: string,
  stream: string,
  key: string,
];

/** A plan without property names, because cursors cost tokens. The first number is the version of the format. */
type PackedPlan = [
  version: typeof PLAN,
  averageLength: number,
  recentTo: number,
  terms: [weight: number, flags: number, ...spellings: string[]][],
  expansion: [word: string, weight: number][],
];

/** The plans of several wordings, each with the scores of its hits at some ranks. */
type PackedWordings = [
  version: typeof WORDINGS,
  ...wordings: [plan: PackedPlan, ladder: readonly number[]][],
];

const NO_PLAN = 0;
const PLAN = 2;
const WORDINGS = 3;
/** A longer plan is left out of the cursor: the next page plans again and continues after the last record shown. */
const MAX_PLAN_CHARACTERS = 2_000;
const ROLES: readonly TermRole[] = ['boosts', 'retrieves', 'anchors'];
const PREFIX_FLAG = 4;
/** Marks that no word contains: `+` before each compound, `*` after a compound that is only a prefix. */
const COMPOUND_MARK = '+';
const PREFIX_MARK = '*';

export function toPosition(plans: readonly WordingPlan[], { score, candidate }: Ranked<Hit>): Position {
  const { stream, key } = candidate.found;
  const packed = packWordings(plans);
  return [
    JSON.stringify(packed).length > MAX_PLAN_CHARACTERS ? [NO_PLAN] : packed,
    score,
    candidate.t ?? null,
    stream.connection.connection_id,
    stream.name,
    key,
  ];
}

function packWordings(plans: readonly WordingPlan[]): PackedPlan | PackedWordings {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) return packPlan(only.plan);
  return [
    WORDINGS,
    ...plans.map(({ plan, ladder }): [PackedPlan, readonly number[]] => [packPlan(plan), ladder]),
  ];
}

function packPlan({ averageLength, recentTo, terms, expansion }: SearchPlan): PackedPlan {
  return [
    PLAN,
    averageLength,
    recentTo,
    terms.map(({ role, weight, usesPrefix, similar, compounds }) => [
      weight,
      ROLES.indexOf(role) + (usesPrefix ? PREFIX_FLAG : 0),
      ...similar,
      ...compounds.map(({ word, isPrefix }) => `${COMPOUND_MARK}${word}${isPrefix ? PREFIX_MARK : ''}`),
    ]),
    expansion.map(({ word, weight }) => [word, weight]),
  ];
}

/** Returns where the previous page ended, in the current order of hits. */
export function findPosition(
  [[version], score, t, ...record]: Position,
  { ranked }: { ranked: readonly Ranked<Hit>[] },
) {
  const id = writeRecordId(...record);
  if (version === PLAN || version === WORDINGS) return { score, t: t ?? undefined, id };
  // Without a plan of this version, scores may differ: the page continues after the last record shown.
  const last = ranked.find(({ candidate }) => candidate.id === id);
  if (last === undefined) throw invalidCursor();
  return { score: last.score, t: last.candidate.t, id };
}

/** Returns the plan of each wording; undefined where the cursor has none. */
export function unpackPlans([packed]: Position): WordingPlan[] | undefined {
  if (packed[0] === PLAN) return [{ plan: unpackPlan(packed), ladder: [] }];
  if (packed[0] !== WORDINGS) return undefined;
  const [, ...wordings] = packed;
  return wordings.map(([plan, ladder]) => ({ plan: unpackPlan(plan), ladder }));
}

function unpackPlan([, averageLength, recentTo, terms, expansion]: PackedPlan): SearchPlan {
  return {
    averageLength,
    recentTo,
    terms: terms.map(([weight, flags, ...spellings]) => ({
      weight,
      role: ROLES[flags % PREFIX_FLAG] ?? 'boosts',
      usesPrefix: flags >= PREFIX_FLAG,
      similar: spellings.filter((one) => !one.startsWith(COMPOUND_MARK)),
      compounds: spellings.filter((one) => one.startsWith(COMPOUND_MARK)).map(unpackCompound),
    })),
    expansion: expansion.map(([word, weight]) => ({ word, weight })),
  };
}

function unpackCompound(packed: string) {
  const isPrefix = packed.endsWith(PREFIX_MARK);
  return {
    word: packed.slice(COMPOUND_MARK.length, isPrefix ? -PREFIX_MARK.length : undefined),
    isPrefix,
  };
}
