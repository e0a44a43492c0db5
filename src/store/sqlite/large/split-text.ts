import { replaceUnseen, writeOut } from '../../../text/unseen.ts';

/** A long text is stored and read in pieces of about this length. */
const PIECE_CHARACTERS = 32_768;
/** Whether a character is written out depends on characters no further away than this. */
const CONTEXT = 32;
const MAX_MOVED = 256;

/** A piece of a long text, with what comes before it. */
export interface TextPiece {
  readonly start: number;
  /** Where it starts in the text as answers show it, with unseen characters written out. */
  readonly shownStart: number;
  /** Line breaks before it. */
  readonly lines: number;
  readonly text: string;
}

export interface SplitText {
  readonly chars: number;
  readonly lines: number;
  readonly escapes: number;
}

/** Splits a text. Each piece is escaped alone, so it ends where that makes no difference. */
export function splitText(text: string, take: (piece: TextPiece) => void): SplitText {
  let [start, chars, lines, escapes] = [0, 0, 0, 0];
  while (start < text.length) {
    const end = findEnd(text, start + PIECE_CHARACTERS);
    const piece = { start, shownStart: chars, lines, text: text.slice(start, end) };
    take(piece);
    const shown = replaceUnseen(piece.text, (character) => {
      escapes += 1;
      return writeOut(character);
    });
    chars += shown.length;
    lines += countLines(shown);
    start = end;
  }
  return { chars, lines, escapes };
}

function findEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  for (let end = wanted; end > wanted - MAX_MOVED; end--)
    if (!isInside(text, end) && isFree(text, end)) return end;
  return isInside(text, wanted) ? wanted - 1 : wanted;
}

/** Whether both sides of a place are shown the same without each other. */
function isFree(text: string, at: number): boolean {
  const [before, after] = [text.slice(at - CONTEXT, at), text.slice(at, at + CONTEXT)];
  const show = (part: string) => replaceUnseen(part, writeOut);
  return show(before) + show(after) === show(before + after);
}

/** Whether a place is between the halves of a character. */
function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
