import type { Draw } from '../../../support/draw.ts';
import { misspell } from './misspell.ts';
import { SCRIPT_NAMES, SCRIPTS } from './scripts.ts';

/** What the values of a story are made of. */
export interface Palette {
  readonly words: readonly string[];
  /** For fields of kind number. */
  readonly numbers: readonly number[];
  /** How many of a hundred texts are very long. */
  readonly long: number;
  /** What amounts are in, and who they are of and to. */
  readonly units: readonly (string | null)[];
  readonly people: readonly string[];
}

/** No word begins another and none is a likely misspelling of another. */
export const WORDS = ['harbour', 'velvet', 'quartz', 'mitten', 'sparrow', 'glacier', 'biscuit', 'thunder'];

export const plainPalette: Palette = {
  words: WORDS,
  numbers: [-1.5, 0, 0.25, 2, 2.25, 3, 1_000_000_000.5],
  long: 0,
  units: ['EUR', 'EUR', 'USD', 'JPY', '', null],
  people: ['k1', 'k2', 'K3', 'long-key-a'],
};

/** Known to the other world alone. */
export const HIDDEN_PERSON = 'zz-owner';

/** What hidden things are made of: as visible ones are, and some that is nowhere in view. */
export function hidePalette(palette: Palette): Palette {
  return {
    ...palette,
    units: [...palette.units, 'XAU'],
    people: [...palette.people, HIDDEN_PERSON, HIDDEN_PERSON],
  };
}

/** Their sum is 1, and what floats make of it depends on the order in which they are added. */
export const CANCELLING = [1e100, 1e50, 1, -1e100, -1e50];
const WIDE = [...CANCELLING, 2 ** 53, 0.1, 0.2, -0, 5e-324, -2.5e-310, 1e16, -1e16, 1e308, -1e308];

export function widePalette(draw: Draw): Palette {
  return { ...plainPalette, numbers: draw.chance(70) ? CANCELLING : WIDE };
}

/** So many words that one at the end of a long text often stands nowhere else in view. */
const RARE = [
  'lantern',
  'orchard',
  'pebbles',
  'saddle',
  'trumpet',
  'walnuts',
  'cobweb',
  'dolphin',
  'emerald',
  'gravel',
];

export function longPalette(): Palette {
  return { ...plainPalette, words: [...WORDS, ...RARE], long: 35 };
}

/** The words of one script or of two, with spellings of them that nobody types on purpose. */
export function scriptPalette(draw: Draw): Palette {
  const names = draw.shuffle(SCRIPT_NAMES).slice(0, 1 + draw.upTo(1));
  const words = names.flatMap((name): readonly string[] => SCRIPTS[name]);
  const near = Array.from({ length: 4 }, () => misspell(draw, draw.pick(words)));
  return { ...plainPalette, words: [...words, ...near.filter((word) => word.trim() !== '')] };
}

/** Around the lengths and sizes at which a text or a record is treated as a very large one. */
const LENGTHS = [1_980, 2_010, 20_500, 32_700, 32_800, 63_700, 64_100, 99_990, 100_010, 130_000, 149_000];
/** Now and then a text, a list or an object is megabytes long. */
const HUGE = 1_200_000;
const HUGE_CHANCE = 6;
/** Escaped when it is shown; and what ends a text for some, or is two units and one character. */
const ODD = ['\u0007', '\0', '😀😀😀'];

/** A text with words at both ends, and now and then something odd at the beginning or beyond where a cut could be. */
export function drawLong(draw: Draw, palette: Palette): string {
  const [first, last] = [draw.pick(palette.words), draw.pick(palette.words)];
  const odd = () => (draw.chance(40) ? draw.pick(ODD) : '');
  const filler = draw.chance(HUGE_CHANCE) ? FILLER.repeat(HUGE / FILLER.length) : FILLER;
  return `${first} ${odd()} ${filler.slice(0, filler === FILLER ? draw.pick(LENGTHS) : HUGE)} ${last}${odd()}`;
}

/** A list around the same sizes, with words at both ends. */
export function drawLongList(draw: Draw, palette: Palette): unknown[] {
  const size = draw.chance(HUGE_CHANCE) ? HUGE : draw.pick(LENGTHS);
  const items = Array.from({ length: Math.floor(size / 12) }, (_, at) => `item${at % 9_999}`);
  return [draw.pick(palette.words), ...items, draw.pick(palette.words)];
}

/** An object around the same sizes: wide, deep, or with a long text in it. */
export function drawLongObject(draw: Draw, palette: Palette): Record<string, unknown> {
  const size = draw.chance(HUGE_CHANCE) ? HUGE : draw.pick(LENGTHS);
  const wide = () =>
    Object.fromEntries(Array.from({ length: Math.floor(size / 14) }, (_, at) => [`key${at}`, at]));
  const deep = () =>
    Array.from({ length: Math.floor(size / 40) }, (_, at) => ({ a: [{ b: { c: [at, null, '\u202e'] } }] }));
  return draw.pick([wide, () => ({ deep: deep() }), () => ({ text: drawLong(draw, palette) })])();
}

/** Few and long words: what is meant is size, not work. */
const FILLER = `${'o'.repeat(499)} `.repeat(300);
