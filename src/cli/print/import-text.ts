import type { ImportReport } from '../../import/import-report.ts';
import type { ImportResult } from '../../import/run-import.ts';
import type { MatchedBy } from '../../import/target/target.ts';
import { formatCommand } from '../run/how-started.ts';
import { formatAmount, formatCount } from './print.ts';
import { table } from './table.ts';

const MAX_PROBLEMS = 10;
const MAX_CONNECTIONS = 5;

/** Describes what an import did, or what a dry run would do. */
export async function describeImport({ import_id, state, report }: ImportResult): Promise<string> {
  if (state === 'stopped' && import_id === undefined)
    return `${report.title}: stopped before anything was imported`;
  const where = `${report.connection_name} (${report.connection_id}${report.connection === 'new' ? ', new' : ''})`;
  const head =
    state === 'foretold'
      ? `${report.title}: would be imported into ${where}`
      : `${report.title}: ${state === 'stopped' ? 'partly imported' : 'imported'} into ${where}${state === 'stopped' ? '. Run the same command again to continue.' : ''}`;
  return [
    head,
    await describeStreams(report),
    ...report.notes.map((note) => `  note: ${note}`),
    ...describeProblems(report),
    ...describeTarget(report),
    ...(import_id === undefined ? [] : [`  To undo: ${formatCommand('import undo', String(import_id))}`]),
  ].join('\n');
}

const MATCHES: Readonly<Record<MatchedBy, string>> = {
  request: '',
  account: 'the same account',
  account_number: 'the same account number',
  owner: 'the same owner',
  records: 'most of these records were already imported',
};

/** Says why this connection was chosen, and how to choose another. */
function describeTarget({ matched_by, other_connections: others = [] }: ImportReport): string[] {
  const reason = matched_by === undefined ? '' : MATCHES[matched_by];
  if (reason !== '')
    return [`  Added to an existing connection: ${reason}. Apps that can read it also see this import.`];
  if (others.length === 0) return [];
  const named = others
    .slice(0, MAX_CONNECTIONS)
    .map(({ connection_id, name }) => `${name} (--connection ${connection_id})`)
    .join(', ');
  return [`  Added as a new connection: it may be a different account from ${named}.`];
}

async function describeStreams(report: ImportReport): Promise<string> {
  const rows = Object.entries(report.streams).map(([name, counts]) => [
    `  ${name}`,
    ...Object.entries(counts).map(([outcome, n]) => `${formatCount(n)} ${outcome}`),
  ]);
  return rows.length === 0 ? '  No records.' : table(rows);
}

function describeProblems({ problems, problems_total: total }: ImportReport): string[] {
  if (total === 0) return [];
  const named = problems.slice(0, MAX_PROBLEMS).map(({ path, place, reason }) => {
    return place === undefined ? `    ${path} ${reason}` : `    ${path}, ${place}: ${reason}`;
  });
  const more = total > named.length ? [`    and ${formatCount(total - named.length)} more (--json)`] : [];
  return [`  ${formatAmount(total, 'problem')}:`, ...named, ...more];
}
