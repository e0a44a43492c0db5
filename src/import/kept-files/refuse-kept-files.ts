import { AppError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';

/**
 * Throws if the data is in PostgreSQL. Any process on any machine may delete a record there, and cannot delete a file in
 * the folder of another one.
 */
export function refuseKeptFiles({ shared }: Pick<Store, 'shared'>, field?: string): void {
  if (shared === undefined) return;
  throw new AppError(
    'invalid_argument',
    'Attached files can only be kept in a data folder, and your data is in PostgreSQL.',
    {
      field,
    },
  );
}
