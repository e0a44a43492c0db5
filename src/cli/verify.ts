import { printFindings } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import type { Call } from './run/call.ts';
import { readConfig, refusePostgres } from './run/with-store.ts';

export async function verify(call: Call): Promise<void> {
  refusePostgres(call, 'To check the files of PostgreSQL, run pg_amcheck and turn on data checksums.');
  // Opens the files read-only: a check for damage must not change them.
  const { verifyStore } = await import('../store/sqlite/verify/verify-store.ts');
  let progress = createProgress(undefined, 'rows');
  let done = 0;
  const findings = await verifyStore(readConfig(call).dataDirectory, {
    onTotal: (rows) => {
      progress = createProgress(rows, 'rows');
    },
    onRow: () => progress.update(++done),
  });
  progress.end();
  printFindings(call, findings);
}
