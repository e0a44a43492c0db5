export type DecimalMark = '.' | ',';

const NUMBER = /\d[\d.,'’\s]*/;
const SPACES = /[\s'’]/g;

/** Which mark a number itself shows to be the decimal one; none if it could be either, as in `1,234`. */
function findMark(text: string): DecimalMark | undefined {
  const digits = NUMBER.exec(text)?.[0].replace(SPACES, '').replace(/[.,]$/, '') ?? '';
  const [dots, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (dots + commas === 0) return undefined;
  const used = dots > 0 ? '.' : ',';
  // A mark that comes twice parts thousands; so may one before three digits, unless nothing but zero is before it.
  if (dots + commas > 1) return used === '.' ? ',' : '.';
  return /^0[.,]|[.,](\d{1,2}|\d{4,})$/.test(digits) ? used : undefined;
}

/** Digits and marks as everybody's numbers have them. The mark decides about what is written both ways. */
export function normaliseDigits(digits: string, mark: DecimalMark): string {
  const plain = digits.replace(SPACES, '');
  const decimal = findMark(plain) ?? mark;
  return plain.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.');
}

/** Finds from all numbers of a file which mark is the decimal one: show it each of them, then ask. */
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
