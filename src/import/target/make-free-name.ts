const MOST = 200;

/**
 * A name that no other connection has: on the consent page and in every list the name is all that tells two apart.
 * The second "Bank" is "Bank 2". Letters that differ in size alone do not tell names apart.
 */
export function makeFreeName(wished: string, taken: Iterable<string>): string {
  const known = new Set(Array.from(taken, fold));
  const name = wished.slice(0, MOST);
  if (!known.has(fold(name))) return name;
  for (let n = 2; ; n++) {
    const next = `${wished.slice(0, MOST - 1 - String(n).length)} ${n}`;
    if (!known.has(fold(next))) return next;
  }
}

const fold = (name: string) => name.trim().toLowerCase();
