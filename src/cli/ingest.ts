import { createReadStream, existsSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { ingestLines, readLines } from '../ingest/ingest-lines.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { command } from '../text/hint.ts';
import { showCount } from './print/format.ts';
import { print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getPositional } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function ingest(call: Call): Promise<void> {
  const connectionId = getPositional(call, 0, 'CONNECTION');
  const name = getPositional(call, 1, 'STREAM');
  const file = call.positionals[2] ?? '-';
  if (file !== '-' && !existsSync(file)) throw new AppError('not_found', 'There is no such file.', { file });
  await withExistingStore(call, async (store) => {
    const catalog = await loadCatalog(store.write);
    const stream = findStream(catalog, connectionId, name);
    if (stream === undefined) {
      throw new AppError('unknown_stream', 'There is no such connection or stream.', {
        hint: [command('connection list')],
      });
    }
    const progress = createProgress(undefined, 'lines');
    const input = file === '-' ? process.stdin : createReadStream(file);
    const report = await ingestLines(store.write, stream, catalog.plainZone, readLines(input), ({ lines }) =>
      progress.update(lines),
    );
    progress.end();
    const { refusals, lines: _, ...counts } = report;
    const text = Object.entries(counts)
      .map(([outcome, n]) => `${showCount(n)} ${outcome}`)
      .join(', ');
    const reasons = refusals.map(({ line, reason }) => `line ${line} ${reason}`);
    print(call, report, [text, ...reasons].join('\n'));
    // Some lines did not fit: said by the exit code too, so that a script notices.
    if (report.refused > 0) process.exitCode = 6;
  });
}
