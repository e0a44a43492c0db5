import type { GrantedRecord } from '../reader/granted-record.ts';
import type { LongValue } from '../store/long-value.ts';
import { type EscapeCount, escapeText } from '../text/escape-text.ts';
import { textForm } from '../words/text-form.ts';
import { readTokens } from '../words/tokens.ts';

/** A record as one text that is read in parts. Long values stay in the database until a part of them is needed. */
export interface Document {
  readonly length: number;
  slice(from: number, to: number): Promise<string>;
}

interface Part {
  readonly length: number;
  slice(from: number, to: number): string | Promise<string>;
}

/** Spaces before each line of a text under the name of its field. */
const INDENT = 2;

/**
 * Writes the record as text: a line per field, and longer text indented under its name, so that no record can imitate a
 * field. Prose comes last, after an empty line.
 */
export function makeDocument(
  { stream, record, long }: GrantedRecord,
  fields: readonly string[] | undefined,
  escaped: EscapeCount,
): Document {
  const shown = Object.entries(record).filter(([name]) => fields === undefined || fields.includes(name));
  const isProse = ([name]: [string, unknown]) => stream.proseFields.includes(name);
  const others = shown.filter((one) => !isProse(one));
  return join(
    [...others, ...shown.filter(isProse)].flatMap(([name, value], at) => [
      ...(at === 0 ? [] : [textPart(at === others.length ? '\n\n' : '\n')]),
      ...writeField(name, value, long?.get(name), escaped),
    ]),
  );
}

/** Returns one field as it is. */
export function makeFieldDocument(
  { record, long }: GrantedRecord,
  field: string,
  escaped: EscapeCount,
): Document {
  const value = long?.get(field);
  if (value === undefined) return join([textPart(escapeText(textForm(record[field]), escaped))]);
  escaped.characters += value.escapes;
  return join([{ length: value.chars, slice: (from, to) => value.slice(from, to) }]);
}

function writeField(name: string, value: unknown, long: LongValue | undefined, escaped: EscapeCount): Part[] {
  const indent = ' '.repeat(INDENT);
  if (long === undefined) {
    const text = escapeText(textForm(value), escaped);
    if (!text.includes('\n')) return [textPart(`${name}: ${text}`)];
    return [textPart(`${name}:\n${indent}${text.replaceAll('\n', `\n${indent}`)}`)];
  }
  escaped.characters += long.escapes;
  return [
    textPart(long.lines > 0 ? `${name}:\n${indent}` : `${name}: `),
    { length: long.chars + INDENT * long.lines, slice: (from, to) => long.slice(from, to, INDENT) },
  ];
}

function textPart(text: string): Part {
  return { length: text.length, slice: (from, to) => text.slice(from, to) };
}

function join(parts: readonly Part[]): Document {
  return {
    length: parts.reduce((sum, part) => sum + part.length, 0),
    async slice(from, to) {
      let text = '';
      let start = 0;
      for (const part of parts) {
        const end = start + part.length;
        if (end > from && start < to)
          text += await part.slice(Math.max(0, from - start), Math.min(part.length, to - start));
        start = end;
      }
      return text;
    },
  };
}

/** Words within this distance count as together. */
const MAX_PASSAGE_CHARACTERS = 400;
/** Context shown before the passage. */
const LEAD_CHARACTERS = 120;
const MAX_SEARCHED_CHARACTERS = 2_000_000;
const MAX_QUERY_CHARACTERS = 500;
const MAX_QUERY_WORDS = 12;
/** Text is read in chunks that overlap, so that no word is split. */
const CHUNK_CHARACTERS = 30_000;
const OVERLAP_CHARACTERS = 300;

/** Returns where most of the words occur together; undefined where none occurs. */
export async function findPassage(document: Document, query: string): Promise<number | undefined> {
  const words = [...readTokens(query.slice(0, MAX_QUERY_CHARACTERS))].map((token) => token.word);
  const wanted = new Set(words.slice(0, MAX_QUERY_WORDS));
  const near: { word: string; start: number }[] = [];
  let best: { start: number; words: number } | undefined;
  const end = Math.min(document.length, MAX_SEARCHED_CHARACTERS);
  for (let from = 0; from < end; from += CHUNK_CHARACTERS) {
    const before = Math.min(from, OVERLAP_CHARACTERS);
    const text = await document.slice(
      from - before,
      Math.min(end, from + CHUNK_CHARACTERS + OVERLAP_CHARACTERS),
    );
    for (const { word, start: index } of readTokens(text)) {
      if (index < before || index >= before + CHUNK_CHARACTERS || !wanted.has(word)) continue;
      const start = from - before + index;
      near.push({ word, start });
      while ((near[0]?.start ?? start) < start - MAX_PASSAGE_CHARACTERS) near.shift();
      const count = new Set(near.map((one) => one.word)).size;
      if (count > (best?.words ?? 0)) best = { start: near[0]?.start ?? start, words: count };
    }
  }
  return best && findWordEnd(document, Math.max(0, best.start - LEAD_CHARACTERS));
}

/** Returns the end of a word near an offset, or the offset itself; never inside a character. */
async function findWordEnd(document: Document, offset: number): Promise<number> {
  if (document.length <= offset) return document.length;
  const from = Math.floor(offset * 0.8);
  const text = await document.slice(from, offset + 1);
  const word = from + Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  if (word > offset * 0.8) return word;
  const code = text.charCodeAt(offset - 1 - from);
  return code >= 0xd800 && code <= 0xdbff ? offset - 1 : offset;
}
