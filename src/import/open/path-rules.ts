/** Why a path inside a pack is refused, if it is. Nothing is ever written to it, but a trick is worth a word. */
export function refusePath(path: string): string | undefined {
  if (path.startsWith('/') || /^[a-zA-Z]:/.test(path)) return 'has a path that begins at the root';
  if (path.split('/').includes('..')) return 'has a path that climbs out of its folder';
  if (path.includes('\0')) return 'has a path with an invisible end';
  return undefined;
}

/** What systems leave in folders and no export consists of. */
export function isWorthless(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$|\.git\/)/i.test(path);
}
