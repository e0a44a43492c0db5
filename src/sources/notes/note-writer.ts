/** Deeper lists are not indented further. */
const MAX_INDENTED_LEVELS = 8;

interface List {
  readonly isOrdered: boolean;
  readonly hasCheckBoxes: boolean;
  items: number;
}

/** Builds the text of a note line by line, in Markdown. */
export class NoteWriter {
  readonly #lines: string[] = [];
  readonly #lists: List[] = [];
  /** The current line in parts: repeated joining would take quadratic time. */
  #parts: string[] = [];
  /** Written before the first text of the line: the mark of a heading or list item. */
  #mark = '';
  #cells = 0;
  #isFirstCell = true;
  #preformatted = 0;
  /** Whether a check box was written last: its text stays on its line. */
  #isAfterBox = false;
  #link: { href: string; line: number; start: number } | undefined;

  write(text: string): void {
    if (this.#preformatted > 0 && this.#cells === 0) {
      const [first = '', ...rest] = text.replaceAll('\u00a0', ' ').split('\n');
      this.#append(first);
      for (const line of rest) {
        this.endLine();
        this.#append(line);
      }
      return;
    }
    const plain = text.replace(/[\s\u00a0]+/g, ' ');
    const isGap = this.#parts.at(-1)?.endsWith(' ') ?? true;
    this.#append(isGap && plain.startsWith(' ') ? plain.slice(1) : plain);
  }

  #append(text: string): void {
    if (text === '') return;
    if (this.#mark !== '') this.#parts.push(this.#mark);
    this.#parts.push(text);
    this.#mark = '';
    this.#isAfterBox = false;
  }

  writeCheckBox(isChecked: boolean): void {
    this.write(isChecked ? '[x] ' : '[ ] ');
    this.#isAfterBox = true;
  }

  /** Ends the line, even an empty one. Inside a table cell it writes a space instead. */
  endLine(): void {
    this.#isAfterBox = false;
    if (this.#cells > 0) this.write(' ');
    else {
      this.#lines.push(this.#parts.join('').trimEnd());
      this.#parts = [];
    }
  }

  #endFilledLine(): void {
    if (this.#parts.length > 0 && !this.#isAfterBox) this.endLine();
  }

  beginBlock(isPreformatted = false): void {
    this.#endFilledLine();
    if (isPreformatted) this.#preformatted += 1;
  }

  endBlock(isSpaced = false, isPreformatted = false): void {
    if (isPreformatted) this.#preformatted = Math.max(0, this.#preformatted - 1);
    this.#endFilledLine();
    if (this.#cells > 0 || this.#lists.length > 0) return;
    this.#mark = '';
    if (isSpaced) this.#lines.push('');
  }

  beginHeading(level: number): void {
    this.beginBlock();
    if (this.#cells === 0) this.#mark = `${'#'.repeat(level)} `;
  }

  writeRule(): void {
    this.beginBlock();
    this.write('---');
    this.endBlock();
  }

  beginList(isOrdered: boolean, hasCheckBoxes: boolean): void {
    this.beginBlock();
    this.#lists.push({ isOrdered, hasCheckBoxes, items: 0 });
  }

  endList(): void {
    this.#lists.pop();
    this.endBlock(this.#lists.length === 0);
  }

  beginItem(isChecked: boolean): void {
    this.beginBlock();
    const list = this.#lists.at(-1);
    if (this.#cells > 0) return;
    const indent = '  '.repeat(Math.min(MAX_INDENTED_LEVELS, Math.max(0, this.#lists.length - 1)));
    if (list !== undefined) list.items += 1;
    const bullet = list?.isOrdered ? `${list.items}. ` : '- ';
    this.#mark = `${indent}${bullet}${list?.hasCheckBoxes ? (isChecked ? '[x] ' : '[ ] ') : ''}`;
  }

  endItem(): void {
    if (this.#parts.length > 0) this.endLine();
    this.#mark = '';
  }

  beginRow(): void {
    if (this.#cells === 0) this.beginBlock();
    this.#isFirstCell = true;
  }

  endRow(): void {
    if (this.#cells === 0) this.endBlock();
  }

  beginCell(): void {
    this.#cells += 1;
    if (!this.#isFirstCell) this.#parts.push(this.#parts.at(-1)?.endsWith(' ') ? '| ' : ' | ');
    this.#isFirstCell = false;
  }

  endCell(): void {
    this.#cells = Math.max(0, this.#cells - 1);
  }

  beginLink(href: string | undefined): void {
    // The mark of the line is not part of the link.
    const start = this.#parts.length + (this.#mark === '' ? 0 : 1);
    this.#link = href ? { href, line: this.#lines.length, start } : undefined;
  }

  /** A link that shows its own URL, or spans several lines, stays as it is. */
  endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || link.line !== this.#lines.length) return;
    const shown = this.#parts.slice(link.start).join('');
    const label = shown.trim();
    if (label === '' || label === link.href || !/^[a-z][a-z0-9+.-]{0,30}:/i.test(link.href)) return;
    this.#parts.length = link.start;
    this.#parts.push(`[${label}](${link.href})${/\s$/.test(shown.slice(-1)) ? ' ' : ''}`);
  }

  finish(): string {
    this.#lines.push(this.#parts.join('').trimEnd());
    return this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}
