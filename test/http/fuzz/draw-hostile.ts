import type { Draw } from '../../support/draw.ts';
import { hostileStrings, prototypeKeys } from '../../support/inputs/hostile-values.ts';

/** What means something to some layer below, and what is known here; without the very large ones. */
const STRINGS = [
  ...Object.values(hostileStrings).filter((text) => text.length < 2_000),
  ...[
    '',
    '*',
    '.',
    '..',
    '%',
    '%00',
    '%2e%2e%2f',
    '%c0%af',
    '%E0%A4%A',
    '%25%32%66',
    'a b',
    '\r\nx: y',
    '\u2028',
    '﻿x',
  ],
  ...[
    'mine',
    'theirs',
    'entries',
    'members',
    'one',
    'title',
    'created_at',
    'stars',
    'tags',
    'beginning',
    'now',
  ],
  ...[
    'last_7_days',
    '2026-02-30',
    '2026-01-01T25:00:00Z',
    '+275760-09-13',
    '1e400',
    'NaN',
    '-0',
    '0x10',
    '١٢٣',
  ],
];
const NUMBERS = [
  ...[0, -0, 1, -1, 0.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63)],
  ...[Number.MAX_SAFE_INTEGER, 8.64e15, 8.64e15 + 1, 101, 100_000_000],
];

export function drawString(draw: Draw): string {
  if (draw.chance(70)) return draw.pick(STRINGS);
  const length = draw.pick([1, 3, 12, 12, 300]);
  const most = draw.pick([0x7f, 0xff, 0xffff]);
  return Array.from({ length }, () => String.fromCharCode(draw.upTo(most))).join('');
}

/** A value of any JSON shape; names are sometimes those that every object answers to. */
export function drawJson(draw: Draw, depth = 3): unknown {
  switch (draw.upTo(depth > 0 ? 7 : 4)) {
    case 0:
      return draw.pick(NUMBERS);
    case 1:
      return draw.pick([null, true, false]);
    case 2:
    case 3:
    case 4:
      return drawString(draw);
    case 5:
      return Array.from({ length: draw.pick([0, 1, 2, 3, 40]) }, () => drawJson(draw, depth - 1));
    case 6:
      return nest(draw);
    default:
      return Object.fromEntries(
        Array.from({ length: draw.upTo(3) }, () => [
          draw.chance(30) ? draw.pick(prototypeKeys) : drawString(draw),
          drawJson(draw, depth - 1),
        ]),
      );
  }
}

/** The same thing inside itself, a few times or more often than anyone should read. */
function nest(draw: Draw): unknown {
  let value: unknown = drawString(draw);
  for (let at = draw.pick([2, 5, 60, 70, 400]); at > 0; at--)
    value = draw.chance(50) ? [value] : { gte: value };
  return value;
}

/** A text with some of its characters changed, taken away or doubled. */
export function damage(draw: Draw, text: string): string {
  const at = draw.upTo(Math.max(0, text.length - 1));
  switch (draw.upTo(4)) {
    case 0:
      return (
        text.slice(0, at) +
        String.fromCharCode(text.charCodeAt(at) ^ (1 << draw.upTo(6))) +
        text.slice(at + 1)
      );
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, at) + text.slice(at - 3);
    case 3:
      return text.slice(0, at) + drawString(draw) + text.slice(at);
    default:
      return text;
  }
}
