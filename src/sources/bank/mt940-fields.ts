import type { InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';

/** One field of a message of SWIFT: `:61:` and what stands up to the next one. */
export interface Mt940Field {
  readonly tag: string;
  readonly lines: readonly string[];
  /** Counted from 1: where it begins. */
  readonly line: number;
}

const TAG = /^\s*:(\d\d[A-Z]?|NS):(.*)$/;
/** The end of a message, and the blocks of SWIFT around it. */
const EDGE = /^-(?:\}|[A-Z]{0,3}$)|^\{\d:/;
const MAX_LINES = 200;

export async function* readMt940Fields(file: InputFile): AsyncGenerator<Mt940Field> {
  let begun: { tag: string; lines: string[]; line: number } | undefined;
  for await (const { text, number } of readTextLines(file, { maxCharacters: 10_000 })) {
    const [, tag, rest] = TAG.exec(text) ?? [];
    const isEdge = EDGE.test(text);
    if (tag === undefined && !isEdge) {
      if (begun !== undefined && begun.lines.length < MAX_LINES && text.trim() !== '') begun.lines.push(text);
      continue;
    }
    if (begun !== undefined) yield begun;
    begun = tag === undefined ? undefined : { tag, lines: [rest ?? ''], line: number };
  }
  if (begun !== undefined) yield begun;
}

/** Banks wrap lines at 65 characters, words or not; what is shorter ends where they wanted it to. */
export const joinWrapped = (lines: readonly string[], width: number): string =>
  lines
    .reduce((text, line, index) => {
      const before = lines[index - 1] ?? '';
      return index === 0 || before.length >= width ? text + line : `${text.trimEnd()} ${line}`;
    }, '')
    .replace(/\s{2,}/g, ' ')
    .trim();
