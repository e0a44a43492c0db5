import { replaceUnseen, writeOut } from './unseen.ts';

/** Counts what was escaped, so that an answer can say so. */
export interface EscapeCount {
  characters: number;
}

/** The text with each unseen character written out as \u{hex}. */
export function escapeText(text: string, count?: EscapeCount): string {
  return replaceUnseen(text, (character) => {
    if (count !== undefined) count.characters += 1;
    return writeOut(character);
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
