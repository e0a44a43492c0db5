/** Returns the usual spellings of a text in lower case of A to Z: a store ignores the case of these letters only. */
export function spellings(text: string): string[] {
  const [first = '', ...rest] = text.toLowerCase();
  const all = [text, text.toLowerCase(), text.toUpperCase(), first.toUpperCase() + rest.join('')];
  return [...new Set(all.map((one) => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))];
}
