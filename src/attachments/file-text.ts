import type { TextLimits } from './text-limits.ts';

/** The outcomes of reading the text of a file, in the order of the declaration. */
export const TEXT_STATUSES = [
  'read',
  'cut',
  'empty',
  'encrypted',
  'damaged',
  'too_large',
  'too_slow',
  'unsupported',
] as const;

export type TextStatus = (typeof TEXT_STATUSES)[number];

export interface FileText {
  readonly status: TextStatus;
  readonly mediaType: string;
  readonly text?: string;
}

/** A file, or a part of it, that cannot be read. The text before it is kept. */
export class Unreadable extends Error {
  readonly status: TextStatus;

  constructor(status: TextStatus) {
    super(status);
    this.status = status;
  }
}

/** Collects the text of a file. Throws `cut` when the limit is reached. */
export class TextBuffer {
  readonly #pieces: string[] = [];
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  add(text: string): void {
    this.#pieces.push(text.length > this.#left ? text.slice(0, this.#left) : text);
    this.#left -= text.length;
    if (this.#left < 0) throw new Unreadable('cut');
  }

  /** Returns the text without control characters, spaces at line ends and runs of empty lines. */
  join(): string {
    const lines = this.#pieces
      .join('')
      .toWellFormed()
      .split(/\r\n?|\n/);
    return lines
      .map((line) => line.replace(/(?!\t)\p{Cc}/gu, ' ').trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}

/** The context of the reader of a format. */
export interface TextContext {
  readonly out: TextBuffer;
  readonly limits: TextLimits;
  /** Counts unpacked bytes. Throws `too_large` at the limit. */
  spend(bytes: number): void;
  /** Reads a file inside this file. */
  readInner(bytes: Uint8Array, name: string | undefined, mediaType: string | undefined): Promise<void>;
}

export type ReadText = (bytes: Uint8Array, context: TextContext) => Promise<void>;
