import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Check } from './describe-client.ts';

const columns: readonly (Check | 'extra')[] = [
  'signIn',
  'list',
  'call',
  'expiry',
  'restart',
  'revocation',
  'extra',
];
const headings = ['client', 'version', 'sign in', 'list', 'call', 'expiry', 'restart', 'revocation', 'more'];
const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped', pending: '?' } as const;

/** Prints one row for each client, and every reason for which something was left out. */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const rows = [...new Set(tests.map(nameOf))].map((client) => {
      const own = tests.filter((test) => nameOf(test) === client);
      return [
        client,
        own.find((test) => test.meta().version)?.meta().version ?? '',
        ...columns.map((check) => sumUp(own.filter((test) => test.meta().check === check))),
      ];
    });
    const reasons = tests.flatMap((test) => {
      const result = test.result();
      return result.state === 'skipped' ? [`${nameOf(test)}: ${result.note ?? 'not asked for'}`] : [];
    });
    process.stdout.write(`\n${formatTable([headings, ...rows])}\n`);
    if (reasons.length > 0) process.stdout.write(`\nLeft out:\n- ${[...new Set(reasons)].join('\n- ')}\n`);
  }
}

function nameOf(test: TestCase): string {
  return test.meta().client ?? (test.parent.type === 'suite' ? test.parent.name : test.module.moduleId);
}

function sumUp(tests: readonly TestCase[]): string {
  const states = new Set(tests.map((test) => test.result().state));
  const worst = (['failed', 'pending', 'skipped', 'passed'] as const).find((state) => states.has(state));
  return worst === undefined ? '-' : marks[worst];
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
