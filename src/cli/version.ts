import { AppError } from '../errors.ts';
import { describeUpdate } from '../updates/describe-update.ts';
import { findNewestVersion } from '../updates/newest-version.ts';
import { version } from '../version.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { readConfig } from './run/with-store.ts';

/** Prints the version. Asks for a newer one only with --check. */
export async function printVersion(call: Call): Promise<void> {
  if (call.values.check !== true) return print(call, { version }, version);
  const check = describeUpdate(version, await findNewestVersion(readConfig(call).updateUrl));
  if (check.newest === null) {
    throw new AppError('busy', 'The newest version could not be found.', {
      hint: 'Check your internet connection, and that npm is installed. Without npm, set PDPP_UPDATE_URL.',
    });
  }
  print(
    call,
    check,
    check.command === null
      ? `pdpp ${version} is the newest version.`
      : `pdpp ${version} is installed, and ${check.newest} is available. To update: ${check.command}`,
  );
}
