/** Cuts a text to at most `max` characters, after a word if one ends nearby, and never inside a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  const newline = text.lastIndexOf('\n', max);
  const word = Math.max(space, newline);
  let end = word > max * 0.8 ? word : max;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end -= 1;
  return text.slice(0, end);
}
