import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacePart, writeTable } from '../scripts/replace-part.ts';
import { describeMeasured, describeOne, loadMeasured, type Measured } from './measured.ts';
import { listTargetRows } from './targets.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/performance.md');

type Rows = readonly (readonly string[])[];
/** The tables of each command, by the name of their part in the page. */
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
export type DocsTables = Partial<Record<keyof typeof commandOf, Rows>>;

/** Replaces tables of docs/performance.md, the one of targets included, and draws its chart again. */
export function writeDocs(tables: DocsTables): void {
  const measured = loadMeasured();
  let text = readFileSync(page, 'utf8');
  for (const [name, rows = []] of Object.entries(tables)) {
    const note = describeOne(measured, commandOf[name as keyof DocsTables]);
    text = replacePart(text, name, `${writeTable(rows)}\n\nMeasured: ${note}.`);
  }
  text = replacePart(
    text,
    'targets',
    `${writeTable(listTargetRows(measured))}\n\nMeasured: ${describeMeasured(measured)}.`,
  );
  writeFileSync(page, text);
  execFileSync('npm', ['run', '-s', 'docs'], { stdio: 'inherit', cwd: root });
}
