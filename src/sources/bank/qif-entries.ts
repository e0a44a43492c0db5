import type { TextLine } from '../../import/read/read-lines.ts';

/** One entry of a QIF file: the lines up to a caret, with the header of their section. */
export interface QifEntry {
  /** The header in lower case: `bank`, `invst`, `account`, `cat`. */
  readonly section: string;
  readonly line: number;
  /** Code and value of each line, in order: splits repeat their codes. */
  readonly fields: readonly (readonly [code: string, value: string])[];
  readonly isWhole: boolean;
}

const MAX_FIELDS = 10_000;

export async function* readQifEntries(lines: AsyncIterable<TextLine>): AsyncGenerator<QifEntry> {
  let section = 'bank';
  let fields: [string, string][] = [];
  let line = 1;
  for await (const { number, text } of lines) {
    // Old files separate lines with a carriage return alone.
    for (const one of text.split('\r')) {
      if (one.startsWith('!')) {
        if (fields.length > 0) yield { section, line, fields, isWhole: false };
        fields = [];
        section = readSectionHeader(one) ?? section;
      } else if (one.startsWith('^')) {
        if (fields.length > 0) yield { section, line, fields, isWhole: true };
        fields = [];
      } else if (one.trim() !== '') {
        if (fields.length === 0) line = number;
        if (fields.length < MAX_FIELDS) fields.push([one[0] as string, one.slice(1).trim()]);
      }
    }
  }
  if (fields.length > 0) yield { section, line, fields, isWhole: false };
}

/** `!Type:Oth A` and `!Account` begin a section; options do not. */
function readSectionHeader(text: string): string | undefined {
  const [, type] = /^!\s*(?:type\s*:\s*)?(\S.*)$/i.exec(text) ?? [];
  const name = type?.trim().toLowerCase();
  return name === undefined || /^(option|clear)/.test(name) ? undefined : name;
}

export function findField({ fields }: QifEntry, ...codes: readonly string[]): string | undefined {
  const value = fields.find(([code]) => codes.includes(code))?.[1];
  return value === '' ? undefined : value;
}

/** `1/ 5'06` is the fifth of January 2006: the apostrophe stands for the century. */
export function normaliseDate(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replace(/'(\d{4})$/, '/$1')
    .replace(/'(\d{1,2})$/, (_, year: string) => `/20${year.padStart(2, '0')}`);
}
