import type Database from 'better-sqlite3';
import { collectProblems, type Finding, toFinding } from '../check/finding.ts';

const names = { audit: 'reads', events: 'events' } as const;

/** Checks that audit entries are numbered without a gap after the last pruned entry. */
export function checkAudit(audit: Database.Database, onRow: () => void): Required<Finding>[] {
  return (['audit', 'events'] as const).map((log) => {
    const problems = collectProblems();
    const through = audit.prepare('select through_id from pruned where log = ?').pluck().get(log);
    let entries = 0;
    let last = Number(through ?? 0);
    for (const id of audit
      .prepare(`select id from ${log} order by id`)
      .pluck()
      .iterate() as Iterable<number>) {
      onRow();
      entries += 1;
      if (id > last + 1) problems.add(`${names[log]} are missing`, `number ${last + 1}`, id - last - 1);
      last = Math.max(last, id);
    }
    return toFinding(`audit: ${names[log]}`, problems, `${entries.toLocaleString('en')} in sequence`);
  });
}
