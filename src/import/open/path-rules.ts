/** Why a path inside a pack is refused, if it is. Nothing is ever written to it, but a trick is worth a word. */
export function refusePath(path: string): string | undefined {
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(path)) return 'has a path that begins at the root';
  if (path.split('/').includes('..')) return 'has a path that climbs out of its folder';
  if (path.includes('\0')) return 'has a path with an invisible end';
  return undefined;
}

/** What systems leave in folders and no export consists of. */
export function isWorthless(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)/i.test(path);
}

/** Folders of programs, of what they depend on, of their history and of systems: nothing in them is the owner's data. */
const PROGRAM_FOLDER =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.svn|\.hg|\.bzr|CVS|__pycache__|\.venv|venv|site-packages|\.tox|\.mypy_cache|\.pytest_cache|\.gradle|\.m2|\.npm|\.yarn|\.pnpm-store|\.cargo|\.rustup|\.terraform|\.idea|\.vscode|\.vs|\.next|\.nuxt|\.svelte-kit|\.angular|\.parcel-cache|\.turbo|\.cache|\.Spotlight-V100|\.fseventsd|\.Trashes|\.Trash|\.TemporaryItems|\$RECYCLE\.BIN|System Volume Information)(?=\/)/i;

/** The outermost folder of a path that holds programs and no data. */
export function findProgramFolder(path: string): string | undefined {
  const found = PROGRAM_FOLDER.exec(path);
  return found === null ? undefined : path.slice(0, found.index + found[0].length);
}
