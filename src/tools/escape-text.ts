/**
 * Characters that a person does not see but a model reads, or that turn text around: controls, bidi
 * overrides, invisible operators and Unicode tags. Line breaks and tabs stay, and so do soft hyphens and
 * the joiners that emoji and some scripts need.
 */
const UNSEEN = /(?![\t\n\r\u00ad\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** What most texts are made of; a look at this costs a tenth of a look for the unseen. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Counts what was escaped, so that an answer can say so. */
export interface EscapeCount {
  characters: number;
}

/** The text with each unseen character written out as \u{hex}. */
export function escapeText(text: string, count?: EscapeCount): string {
  if (PLAIN.test(text) || text.search(UNSEEN) === -1) return text;
  return text.replace(UNSEEN, (character) => {
    if (count !== undefined) count.characters += 1;
    return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
  });
}

/** The same through a whole value, names included. */
export function escapeValue(value: unknown, count?: EscapeCount): unknown {
  if (typeof value === 'string') return escapeText(value, count);
  if (Array.isArray(value)) return value.map((item) => escapeValue(item, count));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [escapeText(name, count), escapeValue(inner, count)]),
  );
}
