/** RFC 3676: a line that ends in a space goes on in the next one, and a space before a line was put there for safety. */
export function unflow(text: string, isSpaceAdded: boolean): string {
  const pieces: string[] = [];
  let lineLength = 0;
  let lineBegins = 0;
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (index > 0) {
      const last = pieces.at(-1) ?? '';
      // Two hyphens and a space begin a signature, which is a line by itself.
      const isSignature = lineLength === 3 && pieces.slice(lineBegins).join('') === '-- ';
      if (last.endsWith(' ') && !isSignature) {
        if (isSpaceAdded) {
          pieces.pop();
          if (last.length > 1) pieces.push(last.slice(0, -1));
          lineLength -= 1;
        }
      } else {
        pieces.push('\n');
        lineBegins = pieces.length;
        lineLength = 0;
      }
    }
    const line = written.startsWith(' ') ? written.slice(1) : written;
    if (line !== '') pieces.push(line);
    lineLength += line.length;
  }
  return pieces.join('');
}
