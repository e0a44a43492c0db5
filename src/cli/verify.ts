import { printFindings } from './print/print-findings.ts';
import { createProgress } from './print/progress.ts';
import type { Call } from './run/call.ts';
import { readConfig } from './run/with-store.ts';

/** Exits with 0 when everything agrees and with 3 when something does not. */
export async function verify(call: Call): Promise<void> {
  // Opened to read only: checking a store for damage must not change it.
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
