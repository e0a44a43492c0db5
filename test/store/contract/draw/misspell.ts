import type { Draw } from '../../../support/draw.ts';

const MARKS = /\p{M}|\u200c|\u200d|\u0640/gu;

/** The word as someone else would type it: a letter or a sign less, more, other or swapped, decomposed, or only its beginning. */
export function misspell(draw: Draw, word: string): string {
  const letters = [...word];
  const at = draw.upTo(letters.length - 1);
  switch (draw.upTo(8)) {
    case 0:
      return letters.toSpliced(at, 1).join('') || word;
    case 1:
      return letters.toSpliced(at, 0, draw.pick(letters)).join('');
    case 2:
      return letters.toSpliced(at, 1, draw.pick(letters)).join('');
    case 3:
      return letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()).join('');
    case 4:
      return word.replace(MARKS, '') || word;
    case 5:
      return word.normalize('NFD');
    case 6:
      return word.normalize('NFKC').toUpperCase();
    case 7:
      return letters.slice(0, Math.max(2, at)).join('');
    default:
      return word;
  }
}
