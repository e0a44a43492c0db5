/**
 * The grammar of the full-text index, all of it that is used. Only quoted strings and column names of ours ever get
 * in, so that nothing anybody types is read as syntax.
 */

export function quoteWord(word: string): string {
  return `"${doubleQuotes(word)}"`;
}

/** The word, or one that begins with it. */
export function quoteBeginning(word: string): string {
  return `"${doubleQuotes(word)}" *`;
}

/** Any of several ways to write a word. */
export function anyOf(spellings: readonly string[]): string {
  return spellings.length === 1 ? (spellings[0] as string) : `(${spellings.join(' OR ')})`;
}

/** Every one of the parts, or any of them. */
export function joinParts(parts: readonly string[], join: 'all' | 'any'): string {
  return parts.join(join === 'all' ? ' AND ' : ' OR ');
}

/** The same in some of the numbered text columns only. */
export function inColumns(columns: readonly number[], expression: string): string {
  return `{${columns.map((column) => `c${column}`).join(' ')}} : (${expression})`;
}

function doubleQuotes(word: string): string {
  return word.replaceAll('"', '""');
}
