import { createReadStream, existsSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { ingestLines, readLines } from '../ingest/ingest-lines.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { command, hint } from '../text/hint.ts';
import { formatCount, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getPositional } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function ingest(call: Call): Promise<void> {
  const connectionId = getPositional(call, 0, 'CONNECTION');
  const name = getPositional(call, 1, 'STREAM');
  const file = call.positionals[2] ?? '-';
  if (file !== '-' && !existsSync(file)) throw new AppError('not_found', 'File not found.', { file });
  await withExistingStore(call, async (store) => {
    const catalog = await loadCatalog(store.write);
    const stream = findStream(catalog, connectionId, name);
    if (stream === undefined) {
      throw new AppError('unknown_stream', 'Connection or stream not found.', {
        hint: hint`List them: ${command('connection list')}`,
      });
    }
    const progress = createProgress(undefined, 'lines');
    const input = file === '-' ? process.stdin : createReadStream(file);
    const report = await ingestLines(store.write, stream, catalog.plainZone, readLines(input), {
      onProgress: ({ lines }) => progress.update(lines),
    });
    progress.end();
    const { refusals, lines: _, ...counts } = report;
    const text = Object.entries(counts)
      .map(([outcome, n]) => `${formatCount(n)} ${outcome}`)
      .join(', ');
    const reasons = refusals.map(({ line, reason }) => `line ${line} ${reason}`);
    print(call, report, [text, ...reasons].join('\n'));
    // Tells scripts that some lines were refused.
    if (report.refused > 0) process.exitCode = 6;
  });
}
