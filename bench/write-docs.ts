import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacePart, writeTable } from '../scripts/replace-part.ts';
import { describeMeasured, describeOne, loadMeasured, type Measured } from './measured.ts';
import { listTargetRows } from './targets.ts';

const root = join(import.meta.dirname, '..');
const pages = ['docs/performance.md', 'docs/performance-details.md'].map((path) => join(root, path));

type Rows = readonly (readonly string[])[];
/** The command that measures each table, by the name of the table's part in a page. */
const commandOf = {
  cases: 'run',
  other: 'run',
  'calls-per-second': 'peers',
  peers: 'peers',
  against: 'against',
  large: 'large',
  engines: 'engines',
  'engines-other': 'engines',
} as const satisfies Record<string, keyof Measured>;
export const measuredParts = Object.keys(commandOf);
export type DocsTables = Partial<Record<keyof typeof commandOf, Rows>>;

/** Replaces the measured tables and the table of targets in the performance pages, and draws the chart again. */
export function writeDocs(tables: DocsTables): void {
  const measured = loadMeasured();
  const parts = new Map([
    ['targets', `${writeTable(listTargetRows(measured))}\n\nMeasured: ${describeMeasured(measured)}.`],
  ]);
  for (const [name, rows = []] of Object.entries(tables)) {
    const note = describeOne(measured, commandOf[name as keyof DocsTables]);
    parts.set(name, `${writeTable(rows)}\n\nMeasured: ${note}.`);
  }
  for (const page of pages) {
    let text = readFileSync(page, 'utf8');
    for (const [name, part] of parts)
      if (text.includes(`<!-- ${name} -->`)) text = replacePart(text, name, part);
    writeFileSync(page, text);
  }
  execFileSync('npm', ['run', '-s', 'docs'], { stdio: 'inherit', cwd: root });
}
