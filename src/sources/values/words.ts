/** A list of words: `one|two|three`, on any number of lines. */
export const wordList = (text: string): string[] => text.trim().split(/\s*[|\n]\s*/);

/** A table of words: `name=value|name=value`, on any number of lines. */
export const wordTable = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(wordList(text).map((pair) => pair.split('=') as [string, string]));

/** Splits a text and removes spaces and empty parts. */
export const splitList = (text: string | undefined, mark: string | RegExp = ','): string[] =>
  (text ?? '')
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== '');
