import type { ImportReport } from '../../import/import-report.ts';
import type { ImportResult } from '../../import/run-import.ts';
import { sayHere } from '../run/how-started.ts';
import { showCount } from './show-count.ts';
import { table } from './table.ts';

const MOST_PROBLEMS = 10;

/** What an import did, or would do, for a person. */
export async function describeImport({ import_id, state, report }: ImportResult): Promise<string> {
  const where = `${report.connection_name} (${report.connection_id}${report.connection === 'new' ? ', new' : ''})`;
  const head =
    state === 'foretold'
      ? `${report.title} would go into ${where}`
      : `${report.title} is in ${where}${state === 'stopped' ? ', as far as it was read: run it again to go on' : ''}`;
  return [
    head,
    await describeStreams(report),
    ...report.notes.map((note) => `  note: ${note}`),
    ...describeProblems(report),
    ...(import_id === undefined ? [] : [sayHere(`  Undo: pdpp import undo ${import_id}`)]),
  ].join('\n');
}

async function describeStreams(report: ImportReport): Promise<string> {
  const rows = Object.entries(report.streams).map(([name, counts]) => [
    `  ${name}`,
    ...Object.entries(counts).map(([outcome, n]) => `${showCount(n)} ${outcome}`),
  ]);
  return rows.length === 0 ? '  No records.' : table(rows);
}

function describeProblems({ problems, problems_total: total }: ImportReport): string[] {
  if (total === 0) return [];
  const named = problems.slice(0, MOST_PROBLEMS).map(({ path, place, reason }) => {
    const where = place === undefined ? path : `${path}, ${place}`;
    return `    ${where}: ${reason}`;
  });
  const more = total > named.length ? [`    and ${showCount(total - named.length)} more (--json)`] : [];
  return [`  ${showCount(total)} could not be read:`, ...named, ...more];
}
