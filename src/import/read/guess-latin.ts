/**
 * Which of the encodings of one byte a letter a text was written in, where most of its words are Latin: of Central
 * Europe or Turkey. Each uses bytes that Western texts have only as signs, or never beside one another. Undefined for
 * the West.
 */
export function guessLatin(head: Uint8Array): string | undefined {
  const [seen, inside] = [new Set<number>(), new Set<number>()];
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] as number;
    if (byte < 0x80) continue;
    const [before, after] = [isLetter(head[at - 1] ?? 0), isLetter(head[at + 1] ?? 0)];
    if (before || after) seen.add(byte);
    if (before && after) inside.add(byte);
  }
  const has = (...bytes: readonly number[]) => bytes.some((byte) => seen.has(byte));
  // Polish ł, ą, ż and Romanian ş, which the West reads as ³, ¹, ¿, º: never in a word. Another table has ą, ś, ź elsewhere.
  if ([0xb1, 0xb6, 0xbc].some((byte) => inside.has(byte))) return 'iso-8859-2';
  if ([0xb3, 0xb9, 0xbf, 0xba].some((byte) => inside.has(byte))) return 'windows-1250';
  // Czech, Slovak, Croatian: š or ž beside č, ě, ř, ů; or ě, which is Italian, beside á or í, which is not.
  if (has(0x9a, 0x9e, 0x9d) && has(0xe8, 0xec, 0xf8, 0xf9, 0xef, 0xf2, 0xc8)) return 'windows-1250';
  if ((has(0xec) && has(0xe1, 0xed, 0xfd)) || (has(0xe8, 0xf8) && has(0xfd) && !has(0xf0)))
    return has(0xb9, 0xbe, 0xbb) ? 'iso-8859-2' : 'windows-1250';
  // Turkish ş, ğ, ı, where Icelandic, which has the same bytes, has no ü and no ç.
  if (has(0xfd, 0xdd) && has(0xfe, 0xf0, 0xde) && has(0xe7, 0xfc, 0xc7, 0xdc)) return 'windows-1254';
  // Hungarian ő, where Portuguese has õ beside ã or ç.
  if (has(0xf5, 0xfb) && has(0xe1) && has(0xf6, 0xfc) && !has(0xe3, 0xe7, 0xe4)) return 'windows-1250';
  return undefined;
}

const isLetter = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte >= 0xc0;

/** The same for whole words beyond ASCII that are neither Russian nor of the East: Greek, Hebrew. */
export function guessGreekOrHebrew(high: Uint8Array, head: Uint8Array): string | undefined {
  const count = (from: number, to: number) => high.filter((byte) => byte >= from && byte <= to).length;
  if (count(0xe0, 0xff) < 0.5 * high.length) return undefined;
  // Greek has accented letters in the middle of words, where Russian would have capitals.
  const accents = head.filter(
    (byte, at) => byte >= 0xdc && byte <= 0xdf && (head[at - 1] ?? 0) >= 0xe0,
  ).length;
  if (accents > 0.03 * high.length) return 'windows-1253';
  // Hebrew has no capitals and ends before the letters that no Russian text is without.
  const isHebrew = high.length > 30 && count(0xe0, 0xfa) > 0.9 * high.length && count(0xfb, 0xff) === 0;
  return isHebrew ? 'windows-1255' : undefined;
}
