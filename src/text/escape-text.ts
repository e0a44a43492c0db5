import { escapeInvisible, replaceInvisible } from './unseen.ts';

/** Counts the escaped characters, so that an answer can report them. */
export interface EscapeCount {
  characters: number;
}

/** Replaces each invisible character by \u{hex}. */
export function escapeText(text: string, count?: EscapeCount): string {
  return replaceInvisible(text, (character) => {
    if (count !== undefined) count.characters += 1;
    return escapeInvisible(character);
  });
}

/** Escapes all texts in a value, including names. */
export function escapeValue(value: unknown, count?: EscapeCount): unknown {
  if (typeof value === 'string') return escapeText(value, count);
  if (Array.isArray(value)) return value.map((item) => escapeValue(item, count));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [escapeText(name, count), escapeValue(inner, count)]),
  );
}
