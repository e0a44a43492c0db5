export interface Row {
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly cells: string[];
  /** The row was too long, so its cells are dropped. */
  readonly isTooLong?: true;
}

const [QUOTE, LINE_FEED, RETURN] = [34, 10, 13];
const MAX_ROW_CHARACTERS = 16 * 2 ** 20;
/** The number of unclosed quotes after which reading is retried. */
const MAX_RETRIES = 3;

/**
 * Splits streamed text into rows of cells. A quoted cell starts and ends with a quote and escapes quotes by doubling them.
 * A quote elsewhere is text. CSV libraries lose the rows after an unclosed quote; this class returns them.
 */
export class RowSplitter {
  readonly #delimiter: number;
  #rows: Row[] = [];
  #cells: string[] = [];
  #cell = '';
  #state: 'begin' | 'plain' | 'quoted' | 'quote in quoted' = 'begin';
  #line = 1;
  #rowStart = 1;
  #length = 0;
  #isTooLong = false;
  /** The line on which the last quote was opened. */
  #quotedAt = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Returns the rows that end in this chunk. */
  push(piece: string): Row[] {
    this.#rows = [];
    this.#split(piece);
    return this.#rows;
  }

  #split(piece: string): void {
    let at = 0;
    while (at < piece.length) at = this.#state === 'quoted' ? this.#quoted(piece, at) : this.#step(piece, at);
  }

  /**
   * Returns the last rows and the line of an unclosed quote. Such a quote is read as text and the rest as rows, unless it
   * is longer than a row may be.
   */
  end(): { rows: Row[]; unclosed: number | undefined; isUnread: boolean } {
    this.#rows = [];
    const unclosed = this.#state === 'quoted' ? this.#quotedAt : undefined;
    for (let tries = 0; this.#state === 'quoted' && !this.#isTooLong && tries < MAX_RETRIES; tries++)
      this.#retryAsText();
    const isUnread = this.#state === 'quoted';
    if (!isUnread && (this.#cells.length > 0 || this.#state !== 'begin')) this.#endRow();
    return { rows: this.#rows, unclosed, isUnread };
  }

  /** Reads the text after the open quote again, as rows. */
  #retryAsText(): void {
    const text = this.#cell.replaceAll('"', '""');
    this.#length -= this.#cell.length;
    this.#cell = '"';
    this.#state = 'plain';
    this.#line = this.#quotedAt;
    this.#split(text);
  }

  #step(piece: string, at: number): number {
    const code = piece.charCodeAt(at);
    if (code === QUOTE && this.#state === 'begin') {
      this.#quotedAt = this.#line;
      this.#state = 'quoted';
      return at + 1;
    }
    if (code === QUOTE && this.#state === 'quote in quoted') {
      this.#cell += '"';
      this.#state = 'quoted';
      return at + 1;
    }
    let end = at;
    while (end < piece.length) {
      const next = piece.charCodeAt(end);
      if (next === this.#delimiter || next === LINE_FEED) break;
      end += 1;
    }
    if (end > at) {
      this.#add(piece.slice(at, end));
      this.#state = 'plain';
    }
    if (end === piece.length) return end;
    if (piece.charCodeAt(end) === LINE_FEED) this.#endRow();
    else this.#endCell();
    return end + 1;
  }

  #quoted(piece: string, at: number): number {
    const found = piece.indexOf('"', at);
    const end = found === -1 ? piece.length : found;
    const text = piece.slice(at, end);
    for (let from = text.indexOf('\n'); from !== -1; from = text.indexOf('\n', from + 1)) this.#line += 1;
    this.#add(text);
    if (found === -1) return end;
    this.#state = 'quote in quoted';
    return end + 1;
  }

  /** Counts empty cells too, so that a row of commas cannot grow without limit. */
  #add(text: string, length = text.length): void {
    this.#length += length;
    this.#isTooLong ||= this.#length > MAX_ROW_CHARACTERS;
    if (this.#isTooLong) this.#drop();
    else this.#cell += text;
  }

  #drop(): void {
    this.#cell = '';
    this.#cells = [];
  }

  #endCell(): void {
    this.#add('', 1);
    if (!this.#isTooLong) this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'begin';
  }

  #endRow(): void {
    if (this.#cell.charCodeAt(this.#cell.length - 1) === RETURN) this.#cell = this.#cell.slice(0, -1);
    this.#endCell();
    const line = this.#rowStart;
    this.#rows.push(this.#isTooLong ? { line, cells: [], isTooLong: true } : { line, cells: this.#cells });
    this.#cells = [];
    this.#isTooLong = false;
    this.#length = 0;
    this.#line += 1;
    this.#rowStart = this.#line;
  }
}
