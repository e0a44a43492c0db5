/** The child process of backup-in-background.ts. Sends what it made, or why it failed. */
import { AppError } from '../../../errors.ts';
import { findStoreError } from '../../store-error.ts';
import { makeScheduledBackup } from './scheduled-backups.ts';

const [directory = '', parent = '', keep = '', version = ''] = process.argv.slice(2);
try {
  const made = await makeScheduledBackup(directory, parent, { keep: Number(keep), version, now: new Date() });
  process.send?.({ made });
} catch (thrown) {
  const error = findStoreError(thrown) ?? thrown;
  process.send?.({ failed: error instanceof AppError ? error.message : String(error) });
}
process.disconnect?.();
