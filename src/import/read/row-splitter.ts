export interface Row {
  /** The line it begins on, counted from 1. */
  readonly line: number;
  readonly cells: string[];
}

const [QUOTE, LINE_FEED, RETURN] = [34, 10, 13];
const MOST_CHARACTERS = 16 * 2 ** 20;

export class EndlessRow extends Error {}

/**
 * Splits text into rows of cells as it streams by. A cell that begins with a quote ends with one, and two of them
 * inside are one; a quote anywhere else is a character like others, as people's files have it. Our own because a
 * file that breaks off must not take the rows before it along.
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

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The rows that end in this piece. */
  push(piece: string): Row[] {
    this.#rows = [];
    let at = 0;
    while (at < piece.length) at = this.#state === 'quoted' ? this.#quoted(piece, at) : this.#step(piece, at);
    return this.#rows;
  }

  /** The last row, where no line end follows it, and whether a quote in it was never closed. */
  end(): { rows: Row[]; unclosed: boolean } {
    this.#rows = [];
    const unclosed = this.#state === 'quoted';
    if (!unclosed && (this.#cells.length > 0 || this.#state !== 'begin')) this.#endRow();
    return { rows: this.#rows, unclosed };
  }

  /** The line on which the row now being read began. */
  get line(): number {
    return this.#begunAt;
  }

  #step(piece: string, at: number): number {
    const code = piece.charCodeAt(at);
    if (code === QUOTE && this.#state === 'begin') {
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

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length > MOST_CHARACTERS) throw new EndlessRow();
    this.#cell += text;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'begin';
  }

  #endRow(): void {
    if (this.#cell.charCodeAt(this.#cell.length - 1) === RETURN) this.#cell = this.#cell.slice(0, -1);
    this.#endCell();
    this.#rows.push({ line: this.#begunAt, cells: this.#cells });
    this.#cells = [];
    this.#length = 0;
    this.#line += 1;
    this.#begunAt = this.#line;
  }
}
