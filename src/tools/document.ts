import type { GrantedRecord } from '../reader/granted-record.ts';
import type { LongValue } from '../store/long-value.ts';
import { type EscapeCount, escapeText } from '../text/escape-text.ts';
import { textForm } from '../words/text-form.ts';

/** A record as one text that is read in parts: long values stay in the database until a part of them is asked for. */
export interface Document {
  readonly length: number;
  slice(from: number, to: number): Promise<string>;
}

interface Part {
  readonly length: number;
  slice(from: number, to: number): string | Promise<string>;
}

/** How far lines of a text are moved in under the name of its field. */
const INDENT = 2;

/**
 * The record as text: a line per field, and text of several lines indented under its name, so that no record can write
 * a line that looks like a field of ours. Prose comes last, behind an empty line, so that the end of the document is the
 * end of what somebody wrote.
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
      ...(at === 0 ? [] : [holdText(at === others.length ? '\n\n' : '\n')]),
      ...writeField(name, value, long?.get(name), escaped),
    ]),
  );
}

/** One field as it is. */
export function makeFieldDocument(
  { record, long }: GrantedRecord,
  field: string,
  escaped: EscapeCount,
): Document {
  const value = long?.get(field);
  if (value === undefined) return join([holdText(escapeText(textForm(record[field]), escaped))]);
  escaped.characters += value.escapes;
  return join([{ length: value.chars, slice: (from, to) => value.slice(from, to) }]);
}

function writeField(name: string, value: unknown, long: LongValue | undefined, escaped: EscapeCount): Part[] {
  if (long === undefined) {
    const text = escapeText(textForm(value), escaped);
    return [
      holdText(text.includes('\n') ? `${name}:\n  ${text.replaceAll('\n', '\n  ')}` : `${name}: ${text}`),
    ];
  }
  escaped.characters += long.escapes;
  return [
    holdText(long.lines > 0 ? `${name}:\n${' '.repeat(INDENT)}` : `${name}: `),
    {
      length: long.chars + INDENT * long.lines,
      slice: (from, to) => long.slice(from, to, INDENT),
    },
  ];
}

function holdText(text: string): Part {
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
