import type { InputFile } from '../importer.ts';
import { decodeText } from './decode-text.ts';

export interface TextLine {
  readonly number: number;
  readonly text: string;
  /** Whether the line was too long and was cut. */
  readonly isCut: boolean;
}

const MAX_LINE_CHARACTERS = 16 * 2 ** 20;

/** Yields the lines of a text file without line endings. Very long lines are cut. */
export async function* readTextLines(
  file: InputFile,
  options: { encoding?: string; maxCharacters?: number } = {},
): AsyncGenerator<TextLine> {
  const { pieces } = await decodeText(file, options.encoding);
  yield* splitLines(pieces, options.maxCharacters);
}

async function* splitLines(
  pieces: AsyncIterable<string>,
  max = MAX_LINE_CHARACTERS,
): AsyncGenerator<TextLine> {
  let parts: string[] = [];
  let length = 0;
  let number = 0;
  const add = (part: string) => {
    if (length < max) parts.push(part.slice(0, max - length));
    length += part.length;
  };
  const take = (): TextLine => {
    const text = parts.length === 1 ? (parts[0] as string) : parts.join('');
    const isCut = length > max;
    parts = [];
    length = 0;
    number += 1;
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text, isCut };
  };
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      add(piece.slice(start, end));
      yield take();
      start = end + 1;
    }
    if (start < piece.length) add(piece.slice(start));
  }
  if (length > 0) yield take();
}
