/** The name of a note: its file without folders and ending. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

/**
 * Finds the note that a link means: by its path, from the folder of the note it stands in or from the top, else by
 * its name alone, as Obsidian does. What leads to no note of the vault leads nowhere.
 */
export function createLinkFinder(
  paths: readonly string[],
): (target: string, from: string) => string | undefined {
  const byPath = new Map(paths.map((path) => [plain(path), path]));
  const byName = new Map<string, string>();
  // The shortest way wins where two notes have one name.
  for (const path of [...paths].sort((a, b) => b.length - a.length))
    byName.set(nameOf(path).toLowerCase(), path);
  return (target, from) => {
    const written = target.replace(/[#^].*$/, '').trim();
    if (written === '') return undefined;
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
    const wanted = [resolve(`${folder}${written}`), resolve(written)];
    const found = wanted.map((path) => byPath.get(plain(path))).find((path) => path !== undefined);
    return found ?? byName.get(nameOf(`${written.replace(/\.md$/i, '')}.md`).toLowerCase());
  };
}

const plain = (path: string) => path.replace(/\.(md|markdown|mdown|mkd|mdx|txt)$/i, '').toLowerCase();

function resolve(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
