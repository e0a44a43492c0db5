import { isCovered, readSecurityTable, type SecurityItem } from './security-table.ts';

/** Prints the security requirements and their tests. Fails if a critical or high one has none. */
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
  const proof = item.files.length === 0 ? item.how.replaceAll('**', '') : item.files.join(', ');
  process.stdout.write(
    `${`${item.id} ${item.name}`.padEnd(widest)}  ${item.severity}  ${state(item).padEnd(12)}  ${proof}\n`,
  );
}
const open = items.filter((item) => !isCovered(item) && (item.severity === 'C' || item.severity === 'H'));
const count = (wanted: string) => items.filter((item) => state(item).startsWith(wanted)).length;
process.stdout.write(
  `\n${items.length} items: ${count('test')} with a test, ${count('reason')} with a reason, ${count('NOT')} not covered\n`,
);
process.exitCode = open.length === 0 ? 0 : 1;
