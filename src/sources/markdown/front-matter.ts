import { parse } from 'yaml';
import { isObject, type JsonObject } from '../values/json.ts';

const FENCE = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_CHARACTERS = 50_000;
/** Deeper nesting slows the parser down. */
const MAX_DEPTH = 64;

/** Splits a note into YAML front matter and text. Tags are off and aliases limited: notes do not need them. */
export function splitNote(text: string) {
  const found = FENCE.exec(text);
  if (found === null) return { properties: {}, body: text, broken: false };
  const yaml = found[1] as string;
  const body = text.slice(found[0].length);
  if (yaml.trim() === '') return { properties: {}, body, broken: false };
  const properties = yaml.length > MAX_CHARACTERS || isDeep(yaml) ? undefined : parseProperties(yaml);
  return properties === undefined
    ? { properties: {}, body: text, broken: true }
    : { properties, body, broken: false };
}

function isDeep(yaml: string): boolean {
  let [open, run] = [0, 0];
  for (const character of yaml) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    // Nested lists on one line: `- - - x`.
    run = character === '-' || character === '?' ? run + 1 : character === ' ' ? run : 0;
    if (open > MAX_DEPTH || run > MAX_DEPTH) return true;
  }
  return false;
}

function parseProperties(yaml: string): JsonObject | undefined {
  try {
    const value: unknown = parse(yaml, {
      schema: 'core',
      maxAliasCount: 20,
      uniqueKeys: false,
      logLevel: 'error',
      stringKeys: true,
    });
    // Through JSON, to resolve aliases and remove values that JSON cannot hold.
    const plain: unknown = JSON.parse(JSON.stringify(value ?? {}));
    return isObject(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the first property with one of these names, ignoring case and word separators. */
export function findProperty(properties: JsonObject, ...names: readonly string[]): unknown {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
  for (const name of names) {
    const found = Object.entries(properties).find(([key]) => plain(key) === name);
    if (found !== undefined && found[1] !== null && found[1] !== '') return found[1];
  }
  return undefined;
}

/** A list of words, one word, or several in one text. */
export function toWords(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toWords);
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' ? value.split(/\s*,\s*/).filter((word) => word !== '') : [];
}
