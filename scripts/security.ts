import { isCovered, readSecurityTable, type SecurityItem } from './security-table.ts';

/** Prints what must hold and what shows it; fails when something critical or high is shown by nothing. */
const items = readSecurityTable();
const state = (item: SecurityItem) =>
  !isCovered(item)
    ? 'NOT COVERED'
    : item.files.length === 0
      ? 'reason'
      : item.how.includes('**')
        ? 'test, partly'
        : 'test';
const widest = Math.max(...items.map(({ id, name }) => `${id} ${name}`.length));
for (const item of items) {
  const shown = item.files.length === 0 ? item.how.replaceAll('**', '') : item.files.join(', ');
  process.stdout.write(
    `${`${item.id} ${item.name}`.padEnd(widest)}  ${item.severity}  ${state(item).padEnd(12)}  ${shown}\n`,
  );
}
const open = items.filter((item) => !isCovered(item) && (item.severity === 'C' || item.severity === 'H'));
const count = (wanted: string) => items.filter((item) => state(item).startsWith(wanted)).length;
process.stdout.write(
  `\n${items.length} items: ${count('test')} with a test, ${count('reason')} with a reason, ${count('NOT')} not covered\n`,
);
process.exitCode = open.length === 0 ? 0 : 1;
