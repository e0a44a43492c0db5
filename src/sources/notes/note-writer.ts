/** Deeper lists are not indented further. */
const MAX_INDENTED_LEVELS = 8;

interface List {
  readonly isOrdered: boolean;
  readonly hasCheckBoxes: boolean;
  items: number;
}

/** Builds the text of a note line by line, with the marks that Markdown has for headings, lists, links and tables. */
export class NoteWriter {
  readonly #lines: string[] = [];
  readonly #lists: List[] = [];
  #line = '';
  /** Written before the first text of the line: a heading's or an item's mark. */
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
    const isGap = this.#line === '' || this.#line.endsWith(' ');
    this.#append(isGap ? plain.trimStart() : plain);
  }

  #append(text: string): void {
    if (text === '') return;
    this.#line += this.#mark + text;
    this.#mark = '';
    this.#isAfterBox = false;
  }

  writeCheckBox(isChecked: boolean): void {
    this.write(isChecked ? '[x] ' : '[ ] ');
    this.#isAfterBox = true;
  }

  #endFilledLine(): void {
    if (this.#line !== '' && !this.#isAfterBox) this.endLine();
  }

  /** Ends the line, even an empty one. Inside a table cell it is a space. */
  endLine(): void {
    this.#isAfterBox = false;
    if (this.#cells > 0) this.write(' ');
    else {
      this.#lines.push(this.#line);
      this.#line = '';
    }
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
    if (this.#line !== '') this.endLine();
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
    if (!this.#isFirstCell) this.#line = `${this.#line.trimEnd()} | `;
    this.#isFirstCell = false;
  }

  endCell(): void {
    this.#cells = Math.max(0, this.#cells - 1);
  }

  beginLink(href: string | undefined): void {
    this.#link = href ? { href, line: this.#lines.length, start: this.#line.length } : undefined;
  }

  /** A link that shows its own address, or goes over several lines, stays as it is. */
  endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || link.line !== this.#lines.length) return;
    const before = this.#line.slice(0, link.start);
    const shown = this.#line.slice(link.start);
    const label = shown.trim();
    if (label === '' || label === link.href || !/^[a-z][a-z0-9+.-]*:/i.test(link.href)) return;
    // The mark of an item or heading was written with the first text.
    const mark =
      link.start === 0 ? (/^(?: *(?:- |\d+\. )(?:\[[x ]\] )?|#{1,6} )/.exec(shown)?.[0] ?? '') : '';
    this.#line = `${before}${mark}[${shown.slice(mark.length).trim()}](${link.href})${/\s$/.test(shown) ? ' ' : ''}`;
  }

  finish(): string {
    this.#lines.push(this.#line);
    return this.#lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}
