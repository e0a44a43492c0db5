import { AppError } from '../../errors.ts';
import { type Catalog, loadCatalog } from '../../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../../schema-index/check-declaration.ts';
import type { ImportedConnectionRow as Candidate } from '../../store/import-store.ts';
import type { ReadStore } from '../../store/store.ts';
import type { ImportOptions } from '../importer.ts';
import type { FoundExport } from '../recognise.ts';
import { type ExportSurvey, type Overlap, type SurveyPlan, surveyExport } from './survey-export.ts';
import { type MatchedBy, makeConnectionId, makeFreeName, type Target, type TargetChoice } from './target.ts';

/**
 * Finds the connection for an export: the one the owner named, else the one of the same account, else a new one. Access
 * is granted per connection, so an export joins one only if there is evidence that the account is the same. Connections
 * that no import created (demo, by hand) are used only if the owner names them. Also returns the zone for keys.
 */
export async function findTarget(
  store: ReadStore,
  declaration: CheckedDeclaration,
  { importer, recognised }: Pick<FoundExport, 'importer' | 'recognised'>,
  choice: TargetChoice & { readonly signal?: AbortSignal },
  options: ImportOptions,
): Promise<{ target: Target; keyZone: string }> {
  const { connector_key, streams, display } = declaration;
  const { account } = recognised;
  const connections = await store.catalog.listConnections();
  const candidates = await store.imports.listConnections(connector_key);
  const catalog = await loadCatalog(store);
  const plan = { store, catalog, importer, recognised, options, streams, signal: choice.signal };
  const reuse = (connectionId: string, matchedBy: MatchedBy): Target | undefined => {
    const found = connections.find(({ connection_id }) => connection_id === connectionId);
    if (found === undefined) return undefined;
    if (found.connector_key !== connector_key)
      throw new AppError('conflict', 'That connection belongs to another source.', {
        hint: 'Choose a connection of the same source, or leave out --connection.',
      });
    return { connectionId, name: found.display_name, outcome: 'same', matchedBy, others: [] };
  };
  if (choice.connectionId !== undefined) {
    const target = reuse(choice.connectionId, 'request');
    const candidate = candidates.find(({ connection_id }) => connection_id === choice.connectionId);
    const keyZone = candidate === undefined ? options.timeZone : await findKeyZone(plan, candidate);
    if (target !== undefined) return { target, keyZone };
  } else if (choice.isNew !== true) {
    const same = await findSameAccount(plan, candidates);
    const target = same && reuse(same.connectionId, same.matchedBy);
    if (target !== undefined) return { target, keyZone: same?.keyZone ?? options.timeZone };
  }
  const name = account === undefined ? display.name : `${display.name} (${account})`;
  const ids = new Set(connections.map(({ connection_id }) => connection_id));
  const names = connections.map(({ display_name }) => display_name);
  const target: Target = {
    connectionId: choice.connectionId ?? makeConnectionId(connector_key, account, ids),
    name: makeFreeName(choice.name ?? name, names),
    outcome: 'new',
    others: candidates.map(({ connection_id, display_name }) => ({ connection_id, name: display_name })),
  };
  return { target, keyZone: options.timeZone };
}

interface SameAccount {
  readonly connectionId: string;
  readonly matchedBy: MatchedBy;
  readonly keyZone: string;
}

type MatchPlan = Omit<SurveyPlan, 'against' | 'isEnough'>;

/** This many records within the stored period are enough to decide. */
const ENOUGH_RECORDS = 2_000;
const MIN_MATCHES = 3;

/**
 * Finds the connection that holds the same account. Account, account numbers or owner decide if both sides name them.
 * Otherwise at least half of the records must be stored already. A wrong match would let apps read an account that was
 * not shared with them, so no evidence means no match.
 */
async function findSameAccount(
  plan: MatchPlan,
  candidates: readonly Candidate[],
): Promise<SameAccount | undefined> {
  const { account } = plan.recognised;
  const possible = candidates.filter(
    (one) => account === undefined || one.account === null || one.account === account,
  );
  if (possible.length === 0) return undefined;
  const named = possible.find((one) => account !== undefined && one.account === account);
  if (named !== undefined && plan.importer.accountIsShared !== true)
    return {
      connectionId: named.connection_id,
      matchedBy: 'account',
      keyZone: await findKeyZone(plan, named),
    };
  const survey = await surveyExport({
    ...plan,
    against: possible.flatMap((one) => listAttempts(plan, one)),
    isEnough: ({ overlaps }) =>
      overlaps.some(({ matched, inPeriod }) => inPeriod >= ENOUGH_RECORDS && matched >= 0.9 * inPeriod),
  });
  const found: (SameAccount & { matched: number })[] = [];
  for (const candidate of possible) {
    const overlap = findBestOverlap(survey, candidate);
    if (overlap === undefined) continue;
    const matchedBy = await findEvidence(plan, candidate, survey, overlap);
    if (matchedBy !== undefined) found.push({ ...overlap, matchedBy });
  }
  return found.sort((a, b) => b.matched - a.matched)[0];
}

/** Returns the zone of a connection's keys. If an older version did not store it, the records show it. */
async function findKeyZone(plan: MatchPlan, candidate: Candidate): Promise<string> {
  const against = listAttempts(plan, candidate);
  const [first] = against as [(typeof against)[0]];
  if (against.length === 1) return first.keyZone;
  const isEnough = ({ records }: ExportSurvey) => records >= ENOUGH_RECORDS;
  const survey = await surveyExport({ ...plan, against, isEnough });
  return (findBestOverlap(survey, candidate) ?? first).keyZone;
}

/** Lists the zones in which the keys of a connection may have been computed. */
function listAttempts(
  { catalog, options }: MatchPlan,
  { connection_id, key_zone }: Candidate,
): SurveyPlan['against'] {
  const zones =
    key_zone === null ? [catalog.plainZone, catalog.timeZone, options.timeZone, 'UTC'] : [key_zone];
  return [...new Set(zones)].map((zone) => ({ connectionId: connection_id, keyZone: zone }));
}

function findBestOverlap({ overlaps }: ExportSurvey, { connection_id }: Candidate): Overlap | undefined {
  return overlaps
    .filter((one) => one.connectionId === connection_id)
    .sort((a, b) => b.matched - a.matched)[0];
}

async function findEvidence(
  { store, catalog, importer }: MatchPlan,
  candidate: Candidate,
  survey: ExportSurvey,
  { matched, inPeriod, stored }: Overlap,
): Promise<MatchedBy | undefined> {
  const numbers = await listAccountNumbers(store, catalog, importer.accountNumbers, candidate);
  if (numbers.some((key) => survey.accountNumbers.has(key))) return 'account_number';
  const [mine, theirs] = [foldNames(JSON.parse(candidate.self ?? '[]') as string[]), foldNames(survey.self)];
  if (mine.size > 0 && theirs.size > 0)
    return [...theirs].some((name) => mine.has(name)) ? 'owner' : undefined;
  // Different numbers can still hold the same records: keys of payments use the number that was read first.
  const isMuch = 2 * matched >= inPeriod || 2 * matched >= stored;
  // One match is no evidence: two accounts of a bank can have the same fee on the same day.
  const isEnough = matched > 0 && matched >= Math.min(MIN_MATCHES, stored, survey.records);
  return isMuch && isEnough ? 'records' : undefined;
}

async function listAccountNumbers(
  store: ReadStore,
  catalog: Catalog,
  declared: MatchPlan['importer']['accountNumbers'],
  { connection_id }: Candidate,
): Promise<string[]> {
  const stream = catalog.streams.find(
    (one) => one.name === declared?.stream && one.connection.connection_id === connection_id,
  );
  if (stream === undefined || declared === undefined) return [];
  return store.stored.keysWithValue(stream.streamId, declared.fields);
}

/** Words that programs write instead of the owner's name. */
const PRONOUN =
  /^(me|you|ich|du|moi|vous|yo|tú|usted|io|tu|eu|você|ik|jij|jag|jeg|ja|я|вы|ты|我|你|自分|나|me \(you\))$/i;

function foldNames(names: Iterable<string>): Set<string> {
  const folded = Array.from(names, (name) => name.normalize('NFC').trim().toLowerCase());
  return new Set(folded.filter((name) => name !== '' && !PRONOUN.test(name)));
}
