import { AppError } from '../../errors.ts';

const MODULE = 'better-sqlite3';
const HERE = import.meta.url;

/**
 * Explains why the database module cannot be loaded; undefined for other errors. npm leaves it out if it cannot be
 * compiled, and it belongs to one version of Node. `program` is the location of a file of the program.
 */
export function findModuleError(error: unknown, program = HERE): AppError | undefined {
  if (!(error instanceof Error) || !isModuleError(error)) return;
  const install = program.includes('/node_modules/') ? 'npm install --global pdpp' : 'npm install';
  return new AppError('store_unusable', `The module ${MODULE} is not installed for this version of Node.`, {
    hint: `Run: ${install}. With Node 22.14 or later, this needs no compiler. With Node 20, it needs Python 3, make and a C++ compiler (on Debian: apt install build-essential python3; on macOS: xcode-select --install).`,
    cause: error,
  });
}

function isModuleError(error: Error): boolean {
  const { code = '' } = error as { code?: string };
  // The package that loads the compiled file lists the paths it tried in `tries`.
  if (code === '') return 'tries' in error;
  return /^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_DLOPEN_FAILED)$/.test(code) && isAboutModule(error);
}

function isAboutModule({ message }: Error): boolean {
  return message.includes(MODULE) || message.includes('better_sqlite3');
}
