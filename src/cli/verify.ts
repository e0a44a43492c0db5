import { listFindings, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import type { Call } from './run/call.ts';
import { readConfig } from './run/with-store.ts';

/** Exits 0 when everything agrees and 3 when something does not. */
export async function verify(call: Call): Promise<void> {
  // Opened to read only: a store that is looked into for damage must not be changed by looking.
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
  print(call, findings, listFindings(findings));
  if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
}
