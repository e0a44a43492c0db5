/** Returns how deep brackets nest outside strings. Checked before parsing, because parsers recurse. */
export function jsonDepth(text: string): number {
  let level = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (code === 125 || code === 93) level -= 1;
  }
  return deepest;
}

export const MAX_JSON_DEPTH = 64;
