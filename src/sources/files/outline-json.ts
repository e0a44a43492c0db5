/** Deep enough to recognise every format; deeper nesting adds no cost. */
const MAX_DEPTH = 8;

/**
 * Returns the paths in the beginning of a JSON text, even if it is cut off: `[].mapping`, `chats.list[].type`.
 * Importers recognise their files by them, in any order of keys.
 */
export function outlineJson(head: string): ReadonlySet<string> {
  const places = new Set<string>();
  const path: string[] = [];
  const start = head.search(/[^\s\ufeff]/);
  if (start < 0 || (head[start] !== '{' && head[start] !== '[')) return places;
  const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{},]/gs;
  tokens.lastIndex = start;
  let key = '';
  for (let match = tokens.exec(head); match !== null; match = tokens.exec(head)) {
    const [token, text, colon] = match;
    if (token === '[' || token === '{') {
      const within = path.at(-1) ?? '';
      path.push(path.length >= MAX_DEPTH ? within : within + key + (token === '[' ? '[]' : ''));
      key = '';
      if (token === '[') places.add(path.at(-1) ?? '');
    } else if (token === ']' || token === '}') {
      path.pop();
      key = '';
    } else if (token === ',') key = '';
    else if (colon !== undefined) {
      const within = path.at(-1) ?? '';
      key = within === '' ? (text ?? '') : `.${text}`;
      if (path.length < MAX_DEPTH) places.add(within + key);
    }
  }
  return places;
}

export function hasPaths(outline: ReadonlySet<string>, ...places: readonly string[]): boolean {
  return places.every((place) => outline.has(place));
}

/**
 * Returns the path to the objects with a key of this name: the root (empty path), a list, or a list or object
 * under a key. Returns undefined if there are none.
 */
export function findPath(outline: ReadonlySet<string>, name: string): string | undefined {
  if (outline.has(name)) return '';
  if (outline.has(`[].${name}`)) return '*';
  for (const place of outline) {
    const [, holder, list] = /^([^.[]+)(\[\])?\.([^.[]+)$/.exec(place) ?? [];
    if (holder !== undefined && place.endsWith(`.${name}`)) return list === undefined ? '*' : `${holder}.*`;
  }
  return undefined;
}
