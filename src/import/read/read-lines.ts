import type { InputFile } from '../importer.ts';
import { decodeText } from './decode-text.ts';

export interface TextLine {
  readonly number: number;
  readonly text: string;
  /** Whether it was longer than the bound and ends early. */
  readonly isCut: boolean;
}

const MAX_CHARACTERS = 16 * 2 ** 20;

/** The lines of a text file, without their ends. A line past the bound is cut, so that none fills the memory. */
export async function* readTextLines(
  file: InputFile,
  options: { encoding?: string; maxCharacters?: number } = {},
): AsyncGenerator<TextLine> {
  const { pieces } = await decodeText(file, options.encoding);
  yield* splitLines(pieces, options.maxCharacters);
}

/** The same for text that is there in pieces. */
async function* splitLines(pieces: AsyncIterable<string>, most = MAX_CHARACTERS): AsyncGenerator<TextLine> {
  let begun: string[] = [];
  let length = 0;
  let number = 0;
  const add = (part: string) => {
    if (length < most) begun.push(part.slice(0, most - length));
    length += part.length;
  };
  const take = (): TextLine => {
    const text = begun.length === 1 ? (begun[0] as string) : begun.join('');
    const isCut = length > most;
    begun = [];
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
