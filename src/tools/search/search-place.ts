import type { Role } from '../../search/gather.ts';
import type { Ranked } from '../../search/rank.ts';
import type { SearchPlan } from '../../search/search-records.ts';
import { invalidCursor } from '../cursor.ts';
import { writeRecordId } from '../record-id.ts';
import type { Hit } from './search-source.ts';

/** What later pages keep to: the plan, and the score, time and record that the last page ended with. */
export type Place = [
  plan: PackedPlan,
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

const PLAN = 2;
const ROLES: readonly Role[] = ['adds', 'gathers', 'anchors'];
const BEGINS = 4;
/** Marks that no word has in it: a spelling is a part or a whole, and only the beginning of words. */
const JOINED = '+';
const BEGUN = '*';

export function toPlace(plan: SearchPlan, { score, candidate }: Ranked<Hit>): Place {
  const { stream, key } = candidate.found;
  return [packPlan(plan), score, candidate.t ?? null, stream.connection.connection_id, stream.name, key];
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
  if (version === PLAN) return { score, t: t ?? undefined, id };
  // The handle of a version that ranked in another way, at most a day old: it goes on after the record it names.
  const last = ranked.find(({ candidate }) => candidate.id === id);
  if (last === undefined) throw invalidCursor();
  return { score: last.score, t: last.candidate.t, id };
}

export function unpackPlan([packed]: Place): SearchPlan | undefined {
  const [version, length, recentTo, terms, added] = packed;
  if (version !== PLAN) return undefined;
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
