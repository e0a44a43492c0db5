export type DecimalMark = '.' | ',';

const NUMBER = /\d[\d.,'’\s]*/;
const SPACES = /[\s'’]/g;

/** Returns the decimal mark of a number, or undefined if it is ambiguous, as in `1,234`. */
function findMark(text: string): DecimalMark | undefined {
  const digits = NUMBER.exec(text)?.[0].replace(SPACES, '').replace(/[.,]$/, '') ?? '';
  const [dots, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (dots + commas === 0) return undefined;
  const used = dots > 0 ? '.' : ',';
  // A repeated mark separates thousands. A mark before three digits may too, unless only a zero is before it.
  if (dots + commas > 1) return used === '.' ? ',' : '.';
  return /^0[.,]|[.,](\d{1,2}|\d{4,})$/.test(digits) ? used : undefined;
}

/** Returns a number with a dot as decimal mark and no other marks. `mark` decides ambiguous numbers. */
export function normaliseDigits(digits: string, mark: DecimalMark): string {
  const plain = digits.replace(SPACES, '');
  const decimal = findMark(plain) ?? mark;
  return plain.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.');
}

/** Finds the decimal mark of a file. Add every number, then call `decide`. */
export class DecimalMarkCounter {
  readonly #seen = { '.': 0, ',': 0 };

  add(text: string): void {
    const mark = findMark(text);
    if (mark !== undefined) this.#seen[mark] += 1;
  }

  decide(): DecimalMark {
    return this.#seen[','] > this.#seen['.'] ? ',' : '.';
  }
}
