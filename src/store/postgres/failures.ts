import { AppError } from '../../errors.ts';
import type { Hint } from '../../text/hint.ts';
import { diskFull, type Failures, findFailure, unusable } from '../failures.ts';

const busy = (message: Hint, cause: unknown) =>
  new AppError('busy', message, { hint: 'Try again in a moment.', cause });

const CHECK_URL = 'Check the user and the password in DATABASE_URL.';

/** Codes of a connection that was refused, was closed or could not be made. */
const LOST_CONNECTION =
  /^(08|57P0|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES|CONNECTION_LOST)/;

/** SQLSTATE codes, and those of network connections. */
const failures: Failures = [
  [LOST_CONNECTION, (cause) => busy('The database cannot be reached at the moment.', cause)],
  [/^(53300|NO_CONNECTION)/, (cause) => busy('The database has no free connection.', cause)],
  [/^(40|55P03)/, (cause) => busy('Another process is writing the same data.', cause)],
  [/^25006/, (cause) => busy('The database accepts no changes at the moment.', cause)],
  [/^(53|58030)/, diskFull],
  [
    /^57014/,
    () => new AppError('timeout', 'The database took too long to answer, and the statement was stopped.'),
  ],
  [/^XX00[12]/, (cause) => unusable('The database is damaged.', 'Restore it from a backup.', cause)],
  [/^28/, (cause) => unusable('The database refused the user or the password.', CHECK_URL, cause)],
  [/^3D000/, (cause) => unusable('There is no such database.', 'Create it, or correct DATABASE_URL.', cause)],
  [
    /^(42501|3F000)/,
    (cause) =>
      unusable(
        'The user in DATABASE_URL does not have the required permission in the database.',
        'Make this user the owner of the database and its tables.',
        cause,
      ),
  ],
];

/** Returns whether the connection is gone. A read can be sent again on another one. */
export function isLost(error: unknown): boolean {
  return LOST_CONNECTION.test(codeOf(error));
}

/** Returns whether the server is a replica, or became one: another connection may lead to the primary. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Returns whether a replica ended a read because it had to replay a change: it works, and another read may succeed. */
export function isConflict(error: unknown): boolean {
  return codeOf(error).startsWith('40');
}

/** Returns whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Returns the error to show for a failure of PostgreSQL; the error itself for bugs. */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  return findFailure(failures, withCode(error)) ?? error;
}

/** Like `toPostgresError`, for the first connection: nobody has to wait for a server that was never there. */
export function toOpeningError(error: unknown): unknown {
  if (isLost(error))
    return unusable(
      'The database server cannot be reached.',
      'Check DATABASE_URL, and that PostgreSQL runs and accepts connections from here.',
      error,
    );
  if (isReadOnly(error))
    return unusable(
      'The database accepts no changes.',
      'Set DATABASE_URL to the address of the primary server.',
      error,
    );
  return toPostgresError(error);
}

function codeOf(error: unknown): string {
  const { code } = withCode(error);
  return typeof code === 'string' ? code : '';
}

/** Gives a code to errors of the driver that have none, and looks behind errors that were converted before. */
function withCode(error: unknown): { readonly code?: unknown } {
  if (error instanceof AppError) return error.cause === undefined ? {} : withCode(error.cause);
  if (!(error instanceof Error)) return {};
  if ('code' in error) return error;
  const found = driverErrors.find(([message]) => message.test(error.message));
  return found === undefined ? {} : Object.assign(error, { code: found[1] });
}

const driverErrors: readonly (readonly [message: RegExp, code: string])[] = [
  [/^(Connection terminated|Client has encountered a connection error|Client was closed)/, 'CONNECTION_LOST'],
  [/^timeout exceeded when trying to connect/, 'NO_CONNECTION'],
  [/^SASL|password must be a string/, '28P01'],
  [/does not support SSL/, '08P01'],
];
