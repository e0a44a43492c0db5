/** The text up to `most` characters, ending at a word where one ends nearby, and never inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(' ', most);
  const newline = text.lastIndexOf('\n', most);
  const word = Math.max(space, newline);
  let end = word > most * 0.8 ? word : most;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end -= 1;
  return text.slice(0, end);
}
