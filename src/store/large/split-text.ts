import { escapeInvisible, replaceInvisible } from '../../text/unseen.ts';

/** A long text is stored and read in pieces of about this length. */
const PIECE_CHARACTERS = 32_768;
/** Whether a character is escaped depends on this many characters before and after it. */
const CONTEXT_CHARACTERS = 32;
/** How far before the intended end of a piece a better one is searched. */
const MAX_BACKTRACK_CHARACTERS = 256;

/** A piece of a long text and its position. */
export interface TextPiece {
  readonly start: number;
  /** Where it starts in the text as answers show it, with invisible characters escaped. */
  readonly shownStart: number;
  /** The number of line breaks before it. */
  readonly lines: number;
  readonly text: string;
}

/** The size of the whole text as answers show it. */
export interface SplitText {
  readonly chars: number;
  readonly lines: number;
  readonly escapes: number;
}

/** Splits a text. A piece ends where escaping the pieces one by one gives the same result as escaping the whole text. */
export function splitText(text: string, onPiece: (piece: TextPiece) => void): SplitText {
  let [start, chars, lines, escapes] = [0, 0, 0, 0];
  while (start < text.length) {
    const end = findEnd(text, start + PIECE_CHARACTERS);
    const piece = { start, shownStart: chars, lines, text: text.slice(start, end) };
    onPiece(piece);
    const shown = replaceInvisible(piece.text, (character) => {
      escapes += 1;
      return escapeInvisible(character);
    });
    chars += shown.length;
    lines += countLines(shown);
    start = end;
  }
  return { chars, lines, escapes };
}

function findEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  for (let end = wanted; end > wanted - MAX_BACKTRACK_CHARACTERS; end--)
    if (!isInSurrogatePair(text, end) && canSplit(text, end)) return end;
  return isInSurrogatePair(text, wanted) ? wanted - 1 : wanted;
}

/** Returns whether a text can be split at a position: escaping both sides separately gives the same result. */
function canSplit(text: string, at: number): boolean {
  const [before, after] = [text.slice(at - CONTEXT_CHARACTERS, at), text.slice(at, at + CONTEXT_CHARACTERS)];
  const show = (part: string) => replaceInvisible(part, escapeInvisible);
  return show(before) + show(after) === show(before + after);
}

function isInSurrogatePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
