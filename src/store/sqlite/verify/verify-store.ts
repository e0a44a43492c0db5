import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { loadCatalog } from '../../../schema-index/catalog.ts';
import { createCatalogReads } from '../catalog-store.ts';
import { createKysely } from '../sqlite.ts';
import type { Tables } from '../tables.ts';
import { checkAudit } from './check-audit.ts';
import { checkHistory, checkSequence } from './check-history.ts';
import { checkLargeRecords } from './check-large.ts';
import { checkStrays, checkStreamRecords, type RecordProblems } from './check-records.ts';
import { checkGrants, checkPlans, checkReferences } from './check-references.ts';
import { createTextSampler } from './check-texts.ts';
import { collectProblems, type Finding, type Problems, toFinding } from '../check/finding.ts';
import { openSnapshot } from './snapshot.ts';

/** As many records, spread over all, are looked at word by word. */
const SAMPLE = 500;

export interface VerifyOptions {
  /** How many rows there will be, and then each of them. */
  readonly onTotal?: (rows: number) => void;
  readonly onRow?: () => void;
}

/**
 * Compares everything in a store with everything that it should agree with. Reads one state of it, beside a
 * server if there is one, and holds one row at a time. Changes nothing.
 */
export async function verifyStore(directory: string, options: VerifyOptions = {}): Promise<Finding[]> {
  const snapshot = openSnapshot(directory);
  const { store, audit } = snapshot;
  const onRow = options.onRow ?? (() => {});
  try {
    options.onTotal?.(countOf(store, 'records') + countOf(audit, 'audit') + countOf(audit, 'events'));
    return [
      ...(await guard('audit', () => checkAudit(audit, onRow))),
      ...(await guard('records', () => checkAllRecords(store, onRow))),
      ...(await guard('history', () => [
        find('history', 'past versions, records and deletions fit together', (problems) => {
          checkHistory(store, problems);
          checkSequence(store, problems);
        }),
      ])),
      ...(await guard('references', () => [
        find('references', 'everything names only what is there', (problems) =>
          checkReferences(store, problems),
        ),
        find('plans', 'every declared stream and field has its place', (problems) =>
          checkPlans(store, problems),
        ),
        find('grants', 'grants and tokens can be read and belong together', (problems) =>
          checkGrants(store, problems),
        ),
      ])),
    ];
  } finally {
    snapshot.close();
  }
}

async function checkAllRecords(store: Database.Database, onRow: () => void): Promise<Finding[]> {
  const records = countOf(store, 'records');
  const problems: RecordProblems = {
    facets: collectProblems(),
    days: collectProblems(),
    texts: collectProblems(),
  };
  const db = createKysely<Tables>(store);
  const { streams, plainZone } = await loadCatalog({ catalog: createCatalogReads(db) });
  const large = collectProblems();
  const sampler = createTextSampler(store, Math.ceil(records / SAMPLE), problems.texts);
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

function find(check: string, otherwise: string, work: (problems: Problems) => void): Finding {
  const problems = collectProblems();
  work(problems);
  return toFinding(check, problems, otherwise);
}

/** What cannot be read ends one check, not the others. */
async function guard(check: string, work: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const isDamage = /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code));
    if (!isDamage && !(error instanceof AppError || error instanceof SyntaxError)) throw error;
    const cause = isDamage ? 'the file is damaged' : 'what describes it cannot be read';
    const say = `could not be checked to the end: ${cause}. pdpp doctor says more.`;
    return [{ check, fine: false, say, problems: [] }];
  }
}

function countOf(database: Database.Database, table: string): number {
  return database.prepare(`select count(*) from ${table}`).pluck().get() as number;
}
