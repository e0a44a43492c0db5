import type { Field } from '../schema-index/field.ts';
import { isTime } from '../schema-index/field.ts';
import { escapeText } from '../text/escape-text.ts';

/** Units at the end of field names. */
const MEASURES: Readonly<Record<string, string>> = {
  ms: 'ms',
  s: 's',
  seconds: 's',
  min: 'min',
  minutes: 'min',
  m: 'm',
  meters: 'm',
  km: 'km',
};
const INITIALS = new Set(['id', 'ids', 'url', 'uri', 'iban', 'isbn', 'ip', 'html', 'json', 'api', 'gpt']);

/** Returns the declared title of a field, else a label made from its name. */
export function labelField(field: Pick<Field, 'name' | 'kind' | 'schema'>): string {
  const { title } = field.schema;
  return typeof title === 'string' && title.trim() !== '' ? escapeText(title.trim()) : labelName(field);
}

/**
 * Labels all fields of a stream. Equal labels get longer names until they differ.
 */
export function labelFields(fields: Iterable<Field>): Map<string, string> {
  const short = new Map([...fields].map((field) => [field.name, labelField(field)]));
  const full = replaceDuplicates(short, (name) => escapeText(writeWords(splitName(name))));
  return replaceDuplicates(full, (name, label) => `${label} (${escapeText(name)})`);
}

function replaceDuplicates(
  labels: ReadonlyMap<string, string>,
  write: (name: string, label: string) => string,
): Map<string, string> {
  const times = new Map<string, number>();
  for (const label of labels.values()) times.set(label, (times.get(label) ?? 0) + 1);
  return new Map(
    [...labels].map(([name, label]) => [name, times.get(label) === 1 ? label : write(name, label)]),
  );
}

/** Returns a label for use inside a sentence: "from address", but "URL". */
export function labelInSentence(label: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label;
}

function labelName({ name, kind }: Pick<Field, 'name' | 'kind'>): string {
  const words = splitName(name);
  const [first] = words;
  const last = words.at(-1)?.toLowerCase() ?? '';
  const bare = words.length > 1;
  // Drops "at" and "is": the value already shows a time or a yes.
  if (bare && isTime(kind) && (last === 'at' || last === 'on')) words.pop();
  if (bare && kind === 'boolean' && first?.toLowerCase() === 'is') words.shift();
  const measure = kind === 'number' || kind === 'integer' ? MEASURES[last] : undefined;
  if (bare && measure !== undefined) words.pop();
  // "from_name" becomes "From".
  if (words.length > 1 && /^(from|to|sender|author)$/i.test(words[0] ?? '') && last === 'name') words.pop();
  const text = writeWords(words);
  return escapeText(bare && measure !== undefined ? `${text} (${measure})` : text || name);
}

function splitName(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[_.\s-]+/)
    .filter((word) => word !== '');
}

function writeWords(words: readonly string[]): string {
  return words.map((word, i) => writeWord(word, i === 0)).join(' ');
}

function writeWord(word: string, isFirst: boolean): string {
  const lower = word.toLowerCase();
  if (INITIALS.has(lower)) return lower === 'ids' ? 'IDs' : lower.toUpperCase();
  // A word in capitals is an abbreviation.
  const plain = word.length > 1 && word === word.toUpperCase() ? word : lower;
  return isFirst ? plain.slice(0, 1).toUpperCase() + plain.slice(1) : plain;
}

/** Makes a label from the name of a stream or relation. */
export function labelWords(name: string): string {
  return labelName({ name, kind: 'string' });
}
