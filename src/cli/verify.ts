import { type Command, dataOption, jsonOption, print, readConfig } from './command.ts';
import { createProgress } from './print/progress.ts';

/** Exits 0 when everything agrees and 3 when something does not. */
export const verify: Command = {
  usage: 'verify [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    // Opened to read only: a store that is looked into for damage must not be changed by looking.
    const { verifyStore } = await import('../verify/verify-store.ts');
    let progress = createProgress(undefined, 'rows');
    let done = 0;
    const findings = await verifyStore(readConfig(call).dataDirectory, {
      onTotal: (rows) => {
        progress = createProgress(rows, 'rows');
      },
      onRow: () => progress.update(++done),
    });
    progress.end();
    print(
      call,
      findings,
      findings.map(({ check, fine, say }) => `${fine ? 'ok  ' : 'BAD '} ${check}: ${say}`).join('\n'),
    );
    if (findings.some(({ fine }) => !fine)) process.exitCode = 3;
  },
};
