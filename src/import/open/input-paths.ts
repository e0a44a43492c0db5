import { type Stats, statSync } from 'node:fs';
import { AppError } from '../../errors.ts';

/** Returns the file or folder that the owner named. Follows a link. `path` is its name in messages. */
export function getInput(location: string, path = location): Stats {
  const found = statSync(location, { throwIfNoEntry: false });
  if (found === undefined) throw new AppError('not_found', 'File or folder not found.', { file: path });
  return found;
}

/** Returns why a path inside an archive is refused, if it is. Nothing is ever written to it. */
export function refusePath(path: string): string | undefined {
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(path)) return 'has an absolute path, which is not allowed';
  if (path.split('/').includes('..')) return 'has a path that leads outside the archive';
  if (path.includes('\0')) return 'has a null character in its path';
  return undefined;
}

/** Whether operating systems create the file in every folder. */
export function isSystemFile(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

/** Folders of programs, dependencies, version control and operating systems. They hold no data of the owner. */
const PROGRAM_FOLDER =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.svn|\.hg|\.bzr|CVS|__pycache__|\.venv|venv|site-packages|\.tox|\.mypy_cache|\.pytest_cache|\.gradle|\.m2|\.npm|\.yarn|\.pnpm-store|\.cargo|\.rustup|\.terraform|\.idea|\.vscode|\.vs|\.next|\.nuxt|\.svelte-kit|\.angular|\.parcel-cache|\.turbo|\.cache|\.Spotlight-V100|\.fseventsd|\.Trashes|\.Trash|\.TemporaryItems|\$RECYCLE\.BIN|System Volume Information)(?=\/)/i;

/** Returns the outermost program folder of a path. */
export function findProgramFolder(path: string): string | undefined {
  const found = PROGRAM_FOLDER.exec(path);
  return found === null ? undefined : path.slice(0, found.index + found[0].length);
}
