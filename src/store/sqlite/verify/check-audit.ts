import type { ChainReport } from '../../../audit/check-chain.ts';
import { checkChain, checkCounts } from '../../../audit/check-chain.ts';
import { passesThrough, readHead } from '../../../audit/head.ts';
import type { ChainName } from '../chain.ts';
import { collectProblems, type Finding, type Problems, toFinding } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

const names = { audit: 'reads', events: 'events' } as const;

/** The chains of reads and events, from their beginning to where the store says that they end. */
export function checkAudit(snapshot: Snapshot, onRow: () => void): Finding[] {
  const { audit, chainKey } = snapshot;
  if (chainKey === undefined) {
    const say = 'cannot be checked: cursor.key is missing. Put it back from a backup.';
    return [{ check: 'audit', fine: false, say, problems: [] }];
  }
  const findings = (['audit', 'events'] as const).map((chain) => {
    const problems = collectProblems();
    const report = checkChain(audit, chainKey, chain, onRow);
    tellChain(report, chain, problems);
    tellEnd(snapshot, chainKey, chain, report, problems);
    const pruned =
      report.pruned === 0 ? '' : `, ${report.pruned.toLocaleString('en')} older ones were pruned`;
    return toFinding(
      `audit: ${names[chain]}`,
      problems,
      `${report.entries.toLocaleString('en')} as they were written${pruned}`,
    );
  });
  return [...findings, checkKept(snapshot, chainKey)];
}

function tellChain(report: ChainReport, chain: ChainName, problems: Problems): void {
  const what = names[chain];
  for (const [told, words] of [
    [report.changed, `${what} were changed, added or moved after they were written`],
    [report.missing, `${what} were taken out of the middle`],
    [
      report.lost,
      `${what} were found missing at a start, and the owner was told: the file was cut, or replaced by an older copy`,
    ],
  ] as const) {
    if (told.count === 0) continue;
    const [first, ...more] = told.ids.map((id) => `number ${id}`);
    problems.add(words, first, told.count - more.length);
    for (const id of more) problems.add(words, id);
  }
  if (report.foreign > 0)
    problems.add(
      `${what} were sealed with another key and cannot be checked: cursor.key was lost or replaced, or the file is of another folder. That alone is no sign of tampering`,
      undefined,
      report.foreign,
    );
}

/** What the store knows of the end. Rows after it are only newer; rows that are missing up to it were there. */
function tellEnd(
  { store, audit }: Snapshot,
  key: Uint8Array,
  chain: ChainName,
  { end, foreign }: ChainReport,
  problems: Problems,
): void {
  const found = readHead(store, key);
  const what = names[chain];
  if (found.kind === 'none') return;
  if (found.kind === 'unsealed') {
    if (foreign === 0) problems.add(`note of where the ${what} end was changed`);
    return;
  }
  const was = found.head[chain].id;
  if (end.id < was)
    problems.add(
      `${what} are missing at the end: audit.sqlite is older than store.sqlite, as after putting back a copy of it alone, or its end was removed`,
      undefined,
      was - end.id,
    );
  else if (!passesThrough(audit, chain, found.head))
    problems.add(`of the last ${what} was replaced`, `number ${was}`);
}

function checkKept({ audit }: Snapshot, key: Uint8Array): Finding {
  const problems = collectProblems();
  const { days, changed, calls, pruned } = checkCounts(audit, key);
  if (changed > 0) problems.add('counts of pruned reads were changed', undefined, changed);
  if (calls !== pruned)
    problems.add(`reads are counted where ${pruned.toLocaleString('en')} were pruned`, undefined, calls);
  return toFinding(
    'audit: counts',
    problems,
    days === 0 ? 'nothing was pruned yet' : `${calls.toLocaleString('en')} pruned reads, all counted`,
  );
}
