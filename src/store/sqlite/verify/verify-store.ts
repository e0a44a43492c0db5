import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { loadCatalog } from '../../../schema-index/catalog.ts';
import { command, hint } from '../../../text/hint.ts';
import { createCatalogReads } from '../catalog-store.ts';
import { isDamage } from '../check/check-file.ts';
import { collectProblems, type Finding, type Problems, toFinding } from '../check/finding.ts';
import { createKysely } from '../sqlite.ts';
import type { Tables } from '../tables.ts';
import { checkAudit } from './check-audit.ts';
import { checkHistory, checkSequence } from './check-history.ts';
import { checkLargeRecords } from './check-large.ts';
import { checkStrays, checkStreamRecords, type RecordProblems } from './check-records.ts';
import { checkGrants, checkPlans, checkReferences } from './check-references.ts';
import { createTextSampler } from './check-texts.ts';
import { openSnapshot } from './snapshot.ts';

/** The number of records, spread over all, whose words are compared. */
const SAMPLED_RECORDS = 500;

export interface VerifyOptions {
  /** Called once with the number of rows. */
  readonly onTotal?: (rows: number) => void;
  /** Called for each row. */
  readonly onRow?: () => void;
}

type Verified = Required<Finding>;

/** Checks that all tables of a store agree. Reads a snapshot row by row, so a server may be running. Writes nothing. */
export async function verifyStore(directory: string, options: VerifyOptions = {}): Promise<Verified[]> {
  const snapshot = openSnapshot(directory);
  const { store, audit } = snapshot;
  const onRow = options.onRow ?? (() => {});
  try {
    options.onTotal?.(countOf(store, 'records') + countOf(audit, 'audit') + countOf(audit, 'events'));
    return [
      ...(await catchDamage('audit', () => checkAudit(audit, onRow))),
      ...(await catchDamage('records', () => checkAllRecords(store, onRow))),
      ...(await catchDamage('history', () => [
        runCheck('history', 'past versions, records and deletions agree', (problems) => {
          checkHistory(store, problems);
          checkSequence(store, problems);
        }),
      ])),
      ...(await catchDamage('references', () => [
        runCheck('references', 'every reference has a target', (problems) =>
          checkReferences(store, problems),
        ),
        runCheck('plans', 'every declared stream and field has a slot', (problems) =>
          checkPlans(store, problems),
        ),
        runCheck('grants', 'grants and tokens can be read and belong together', (problems) =>
          checkGrants(store, problems),
        ),
      ])),
    ];
  } finally {
    snapshot.close();
  }
}

async function checkAllRecords(store: Database.Database, onRow: () => void): Promise<Verified[]> {
  const records = countOf(store, 'records');
  const problems: RecordProblems = {
    facets: collectProblems(),
    days: collectProblems(),
    texts: collectProblems(),
  };
  const db = createKysely<Tables>(store);
  const { streams, plainZone } = await loadCatalog({ catalog: createCatalogReads(db) });
  const large = collectProblems();
  const sampler = createTextSampler(store, Math.ceil(records / SAMPLED_RECORDS), problems.texts);
  try {
    for (const stream of streams) {
      checkStreamRecords(store, stream, plainZone, problems, sampler.sample, onRow);
      checkLargeRecords(store, stream, large);
    }
    checkStrays(store, problems);
  } finally {
    sampler.close();
  }
  const agree = `agree with ${records.toLocaleString('en')} records`;
  return [
    toFinding('facets', problems.facets, agree),
    toFinding('day counts', problems.days, agree),
    toFinding('full text', problems.texts, agree),
    toFinding('large records', large, 'parts of large records agree with their data'),
  ];
}

function runCheck(check: string, success: string, work: (problems: Problems) => void): Verified {
  const problems = collectProblems();
  work(problems);
  return toFinding(check, problems, success);
}

/** Runs a check. An error of the store becomes a finding and does not stop the other checks. */
async function catchDamage(check: string, work: () => Verified[] | Promise<Verified[]>): Promise<Verified[]> {
  try {
    return await work();
  } catch (error) {
    const isDamaged = !(error instanceof AppError || error instanceof SyntaxError);
    if (isDamaged && !isDamage(error)) throw error;
    const cause = isDamaged ? 'the file is damaged' : 'its declaration cannot be read';
    const say = hint`could not be checked completely: ${cause}. ${command('doctor')} says more.`;
    return [{ check, fine: false, say, problems: [] }];
  }
}

function countOf(database: Database.Database, table: string): number {
  return database.prepare(`select count(*) from ${table}`).pluck().get() as number;
}
