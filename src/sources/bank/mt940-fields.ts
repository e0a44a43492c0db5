import type { InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';

/** One field of a SWIFT message: `:61:` and its text. */
export interface Mt940Field {
  readonly tag: string;
  readonly lines: readonly string[];
  /** The first line of the field, from 1. */
  readonly line: number;
}

const TAG = /^\s*:(\d\d[A-Z]?|NS):(.*)$/;
/** The end of a message and the SWIFT blocks around it. */
const EDGE = /^-(?:\}|[A-Z]{0,3}$)|^\{\d:/;
const MAX_LINES = 200;

export async function* readMt940Fields(file: InputFile): AsyncGenerator<Mt940Field> {
  let current: { tag: string; lines: string[]; line: number } | undefined;
  for await (const { text, number } of readTextLines(file, { maxCharacters: 10_000 })) {
    const [, tag, rest] = TAG.exec(text) ?? [];
    const isEdge = EDGE.test(text);
    if (tag === undefined && !isEdge) {
      if (current !== undefined && current.lines.length < MAX_LINES && text.trim() !== '')
        current.lines.push(text);
      continue;
    }
    if (current !== undefined) yield current;
    current = tag === undefined ? undefined : { tag, lines: [rest ?? ''], line: number };
  }
  if (current !== undefined) yield current;
}

/** Joins lines that the bank wrapped at `width`, even inside words. After a shorter line it adds a space. */
export const joinWrapped = (lines: readonly string[], width: number): string =>
  lines
    .reduce((text, line, index) => {
      const before = lines[index - 1] ?? '';
      return index === 0 || before.length >= width ? text + line : `${text.trimEnd()} ${line}`;
    }, '')
    .replace(/\s{2,}/g, ' ')
    .trim();
