import { invalidCursor } from '../../reads/granted-read.ts';
import type { Role } from '../../search/find-candidates.ts';
import type { Ranked } from '../../search/rank.ts';
import type { SearchPlan } from '../../search/search-records.ts';
import type { WordingPlan } from '../../search/search-wordings.ts';
import { writeRecordId } from '../record-view.ts';
import type { Hit } from './search-source.ts';

/** What later pages keep to: the plan, and the score, time and record that the last page ended with. */
export type Place = [
  plan: PackedPlan | PackedWordings | [version: typeof NO_PLAN],
  score: number,
  t: number | null,
  connectionId: string,
  stream: string,
  key: string,
];

/** A plan without its names: handles are paid for by the token. The first number tells plans of other versions apart. */
type PackedPlan = [
  version: typeof PLAN,
  length: number,
  recentTo: number,
  terms: [weight: number, flags: number, ...spellings: string[]][],
  added: [word: string, weight: number][],
];

/** The plans of several wordings, each with the scores at some ranks of its hits. */
type PackedWordings = [
  version: typeof WORDINGS,
  ...wordings: [plan: PackedPlan, ladder: readonly number[]][],
];

const NO_PLAN = 0;
const PLAN = 2;
const WORDINGS = 3;
/** A longer plan is left out of the handle: the next page plans anew and goes on after the record that the handle names. */
const MAX_PLAN_CHARACTERS = 2_000;
const ROLES: readonly Role[] = ['adds', 'gathers', 'anchors'];
const BEGINS = 4;
/** Marks that no word has in it: a spelling is a part or a whole, and only the beginning of words. */
const JOINED = '+';
const BEGUN = '*';

export function toPlace(plans: readonly WordingPlan[], { score, candidate }: Ranked<Hit>): Place {
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

function packPlan({ length, recentTo, terms, added }: SearchPlan): PackedPlan {
  return [
    PLAN,
    length,
    recentTo,
    terms.map(({ role, weight, begins, similar, joined }) => [
      weight,
      ROLES.indexOf(role) + (begins ? BEGINS : 0),
      ...similar,
      ...joined.map(({ word, isBeginning }) => `${JOINED}${word}${isBeginning ? BEGUN : ''}`),
    ]),
    added.map(({ word, weight }) => [word, weight]),
  ];
}

/** The place that a page ended with, in the order there is now. */
export function findPlace(
  [[version], score, t, ...record]: Place,
  { ranked }: { ranked: readonly Ranked<Hit>[] },
) {
  const id = writeRecordId(...record);
  if (version === PLAN || version === WORDINGS) return { score, t: t ?? undefined, id };
  // A handle without a plan, or of a version that ranked in another way: it goes on after the record it names.
  const last = ranked.find(({ candidate }) => candidate.id === id);
  if (last === undefined) throw invalidCursor();
  return { score: last.score, t: last.candidate.t, id };
}

/** The plans of a page's wordings; undefined where the handle has none. */
export function unpackPlans([packed]: Place): WordingPlan[] | undefined {
  if (packed[0] === PLAN) return [{ plan: unpackPlan(packed), ladder: [] }];
  if (packed[0] !== WORDINGS) return undefined;
  const [, ...wordings] = packed;
  return wordings.map(([plan, ladder]) => ({ plan: unpackPlan(plan), ladder }));
}

function unpackPlan([, length, recentTo, terms, added]: PackedPlan): SearchPlan {
  return {
    length,
    recentTo,
    terms: terms.map(([weight, flags, ...spellings]) => ({
      weight,
      role: ROLES[flags % BEGINS] ?? 'adds',
      begins: flags >= BEGINS,
      similar: spellings.filter((one) => !one.startsWith(JOINED)),
      joined: spellings.filter((one) => one.startsWith(JOINED)).map(readJoined),
    })),
    added: added.map(([word, weight]) => ({ word, weight })),
  };
}

function readJoined(packed: string) {
  const isBeginning = packed.endsWith(BEGUN);
  return { word: packed.slice(JOINED.length, isBeginning ? -BEGUN.length : undefined), isBeginning };
}
