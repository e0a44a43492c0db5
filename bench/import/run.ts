import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { generatedExports, generateExport } from './generate.ts';

/** `npm run bench:import -- --scale 0.1 --only csv`: how fast exports come in, and how much memory that takes. */
const { values } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pdpp-bench-'));
const rows: string[][] = [
  [
    'export',
    'read as',
    'MB',
    'records',
    'MB per CPU s',
    'records per CPU s',
    'reading CPU s',
    'storing CPU s',
    'peak MB',
  ],
];
try {
  for (const one of generatedExports.filter(
    ({ name }) => values.only === undefined || name === values.only,
  )) {
    const file = join(folder, one.file);
    const bytes = await generateExport(one, file, Number(values.scale));
    const { stdout } = await run(process.execPath, [
      join(import.meta.dirname, 'measure-one.mjs'),
      file,
      join(folder, `data-${one.file}`),
    ]);
    const m = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
    const got = (name: string) => m[name] as number;
    rows.push([
      one.name,
      String(m.format),
      (bytes / 1e6).toFixed(0),
      got('records').toLocaleString('en'),
      (bytes / 1e6 / got('importSeconds')).toFixed(1),
      Math.round(got('records') / got('importSeconds')).toLocaleString('en'),
      got('readSeconds').toFixed(1),
      (got('importSeconds') - got('readSeconds')).toFixed(1),
      String(m.peakMb),
    ]);
    rmSync(file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
