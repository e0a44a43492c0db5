import type { Catalog } from '../../schema-index/catalog.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../../schema-index/check-declaration.ts';
import type { ReadStore } from '../../store/store.ts';
import type { ImportOptions } from '../importer.ts';
import type { FoundExport } from '../recognise.ts';
import type { Candidate, MatchedBy } from './place-connection.ts';
import { chooseTarget, listCandidates, type Target, type TargetWish } from './place-connection.ts';
import { type ExportSurvey, type Overlap, type SurveyPlan, surveyExport } from './survey-export.ts';

/** The connection to write to, and the zone that its keys are made in. */
export async function findTarget(
  store: ReadStore,
  declaration: CheckedDeclaration,
  { importer, recognised }: Pick<FoundExport, 'importer' | 'recognised'>,
  wish: TargetWish & { readonly signal?: AbortSignal },
  options: ImportOptions,
): Promise<{ target: Target; keyZone: string }> {
  const catalog = await loadCatalog(store);
  const plan = { importer, recognised, options, streams: declaration.streams, signal: wish.signal };
  const { account } = recognised;
  let keyZone: string | undefined;
  const target = await chooseTarget(
    store,
    declaration,
    { ...(account === undefined ? {} : { account }), ...wish },
    async (candidates) => {
      const same = await findSameAccount(store, catalog, plan, candidates);
      keyZone = same?.keyZone;
      return same;
    },
  );
  if (keyZone === undefined && target.outcome === 'same') {
    const candidates = await listCandidates(store, declaration.connector_key);
    const candidate = candidates.find(({ connectionId }) => connectionId === target.connectionId);
    if (candidate !== undefined) keyZone = await findKeyZone(store, catalog, plan, candidate);
  }
  return { target, keyZone: keyZone ?? options.timeZone };
}

interface SameAccount {
  readonly connectionId: string;
  readonly matchedBy: MatchedBy;
  readonly keyZone: string;
}

export type AccountPlan = Omit<SurveyPlan, 'against' | 'isEnough'>;

/** So many records within the stored period, nearly all of them known, show what an export is. */
const ENOUGH_RECORDS = 2_000;
const FEW_MATCHES = 3;

/**
 * Finds the connection that holds the same account as an export. The account, its numbers or its owner decide where
 * both sides name them. Else at least half of the records must be there already. No evidence means no match: a wrong
 * one would let apps read an account that nobody shared with them.
 */
export async function findSameAccount(
  store: ReadStore,
  catalog: Catalog,
  plan: AccountPlan,
  candidates: readonly Candidate[],
): Promise<SameAccount | undefined> {
  const { importer, recognised } = plan;
  const { account } = recognised;
  const possible = candidates.filter(
    (one) => account === undefined || one.account === undefined || one.account === account,
  );
  if (possible.length === 0) return undefined;
  const named = possible.find((one) => account !== undefined && one.account === account);
  if (named !== undefined && importer.accountIsShared !== true)
    return {
      connectionId: named.connectionId,
      matchedBy: 'account',
      keyZone: await findKeyZone(store, catalog, plan, named),
    };
  const survey = await surveyExport(store, catalog, {
    ...plan,
    against: possible.flatMap((one) =>
      listKeyZones(catalog, plan, one).map((keyZone) => ({ connectionId: one.connectionId, keyZone })),
    ),
    isEnough: ({ overlaps }) => overlaps.some(isNearlyAll),
  });
  const found: { same: SameAccount; matched: number }[] = [];
  for (const candidate of possible) {
    const overlap = bestOverlap(survey, candidate);
    const matchedBy = await judge(store, catalog, plan, candidate, survey, overlap);
    if (matchedBy !== undefined && overlap !== undefined)
      found.push({
        same: { connectionId: candidate.connectionId, matchedBy, keyZone: overlap.keyZone },
        matched: overlap.matched,
      });
  }
  return found.sort((a, b) => b.matched - a.matched)[0]?.same;
}

/** The zone that keys of a connection were made in. Earlier versions did not note it: the records show it. */
async function findKeyZone(
  store: ReadStore,
  catalog: Catalog,
  plan: AccountPlan,
  candidate: Candidate,
): Promise<string> {
  const zones = listKeyZones(catalog, plan, candidate);
  if (zones.length === 1) return zones[0] as string;
  const survey = await surveyExport(store, catalog, {
    ...plan,
    against: zones.map((keyZone) => ({ connectionId: candidate.connectionId, keyZone })),
    isEnough: ({ records }) => records >= ENOUGH_RECORDS,
  });
  return bestOverlap(survey, candidate)?.keyZone ?? (zones[0] as string);
}

function listKeyZones(catalog: Catalog, { options }: AccountPlan, { keyZone }: Candidate): string[] {
  if (keyZone !== undefined) return [keyZone];
  return [...new Set([catalog.plainZone, catalog.timeZone, options.timeZone, 'UTC'])];
}

function bestOverlap({ overlaps }: ExportSurvey, { connectionId }: Candidate): Overlap | undefined {
  return overlaps.filter((one) => one.connectionId === connectionId).sort((a, b) => b.matched - a.matched)[0];
}

const isNearlyAll = ({ matched, inPeriod }: Overlap) =>
  inPeriod >= ENOUGH_RECORDS && matched >= 0.9 * inPeriod;

async function judge(
  store: ReadStore,
  catalog: Catalog,
  { importer }: AccountPlan,
  candidate: Candidate,
  survey: ExportSurvey,
  overlap: Overlap | undefined,
): Promise<MatchedBy | undefined> {
  const known =
    importer.accountNumbers === undefined ? [] : await listNumbered(store, catalog, importer, candidate);
  if (survey.accountNumbers.size > 0 && known.some((key) => survey.accountNumbers.has(key)))
    return 'account_number';
  const [mine, theirs] = [foldNames(candidate.self), foldNames(survey.self)];
  if (mine.size > 0 && theirs.size > 0)
    return [...theirs].some((name) => mine.has(name)) ? 'owner' : undefined;
  // Other numbers, too, may hold the same records: keys of payments are made of the account that was read at first.
  return overlap !== undefined && isOverlap(overlap, survey.records) ? 'records' : undefined;
}

/** At least half of the export in the stored period is there, or half of what is stored is in the export. */
function isOverlap({ matched, inPeriod, stored }: Overlap, records: number): boolean {
  const isMuch = 2 * matched >= inPeriod || 2 * matched >= stored;
  // A fee of the same day may be on two accounts of one bank; that alone says nothing.
  return isMuch && matched > 0 && matched >= Math.min(FEW_MATCHES, stored, records);
}

async function listNumbered(
  store: ReadStore,
  catalog: Catalog,
  { accountNumbers }: AccountPlan['importer'],
  { connectionId }: Candidate,
): Promise<string[]> {
  const stream = catalog.streams.find(
    (one) => one.name === accountNumbers?.stream && one.connection.connection_id === connectionId,
  );
  if (stream === undefined || accountNumbers === undefined) return [];
  return store.stored.keysWithValue(stream.streamId, accountNumbers.fields);
}

/** Words that programs write for the owner, whoever that is. */
const NOBODY =
  /^(me|you|ich|du|moi|vous|yo|tú|usted|io|tu|eu|você|ik|jij|jag|jeg|ja|я|вы|ты|我|你|自分|나|me \(you\))$/i;

function foldNames(names: Iterable<string>): Set<string> {
  return new Set(
    Array.from(names, (name) => name.normalize('NFC').trim().toLowerCase()).filter(
      (name) => name !== '' && !NOBODY.test(name),
    ),
  );
}
