export interface Row {
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly cells: string[];
  /** It was longer than the bound: its cells are not kept. */
  readonly isTooLong?: true;
}

const [QUOTE, LINE_FEED, RETURN] = [34, 10, 13];
const MAX_ROW_CHARACTERS = 16 * 2 ** 20;
/** How many quotes without an end are looked behind. */
const MAX_TRIES = 3;

/**
 * Splits text into rows of cells as it streams by. A cell that begins with a quote ends with one, and two of them
 * inside are one; a quote anywhere else is a character like others, as people's files have it. A row past the bound is
 * given without its cells, and the next one is whole again. Our own because a file that breaks off must not take the
 * rows before it along.
 */
export class RowSplitter {
  readonly #delimiter: number;
  #rows: Row[] = [];
  #cells: string[] = [];
  #cell = '';
  #state: 'begin' | 'plain' | 'quoted' | 'quote in quoted' = 'begin';
  #line = 1;
  #begunAt = 1;
  #length = 0;
  #isTooLong = false;
  /** The line on which the last quote was opened. */
  #quotedAt = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The rows that end in this piece. */
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
   * The last row, where no line end follows it, and the line of a quote that was never closed. Such a quote is a
   * character like others, and what follows is read as rows, unless it is longer than a row may be.
   */
  end(): { rows: Row[]; unclosed: number | undefined; isLost: boolean } {
    this.#rows = [];
    const unclosed = this.#state === 'quoted' ? this.#quotedAt : undefined;
    for (let tries = 0; this.#state === 'quoted' && !this.#isTooLong && tries < MAX_TRIES; tries++)
      this.#takeQuoteAsCharacter();
    const isLost = this.#state === 'quoted';
    if (!isLost && (this.#cells.length > 0 || this.#state !== 'begin')) this.#endRow();
    return { rows: this.#rows, unclosed, isLost };
  }

  /** Reads what follows the open quote once more, as rows. */
  #takeQuoteAsCharacter(): void {
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

  /** Empty cells count too: a row of nothing but commas has an end as well. */
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
    const line = this.#begunAt;
    this.#rows.push(this.#isTooLong ? { line, cells: [], isTooLong: true } : { line, cells: this.#cells });
    this.#cells = [];
    this.#isTooLong = false;
    this.#length = 0;
    this.#line += 1;
    this.#begunAt = this.#line;
  }
}
