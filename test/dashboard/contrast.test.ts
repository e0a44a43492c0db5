import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../dashboard/style.css', import.meta.url), 'utf8');

/** The colours of the style sheet, each as a light and a dark one. */
const colors = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name as string, [light as string, dark as string] as const],
  ),
);

/** WCAG 2: relative luminance of an sRGB colour. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const text: [string, string][] = [
  ...['paper', 'card', 'sunk', 'accent-soft', 'warn-soft', 'bad-soft'].map((ground): [string, string] => [
    'ink',
    ground,
  ]),
  ...['paper', 'card', 'sunk'].flatMap((ground): [string, string][] => [
    ['muted', ground],
    ['accent', ground],
  ]),
  ['accent', 'accent-soft'],
  ['accent', 'warn-soft'],
  ['accent', 'bad-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['good', 'good-soft'],
  ['warn', 'warn-soft'],
  ['bad', 'bad-soft'],
  ['bad', 'card'],
];
const shapes: [string, string][] = [
  ['line-strong', 'card'],
  ['line-strong', 'paper'],
  ...Array.from({ length: 8 }, (_, i): [string, string] => [`series-${i}`, 'card']),
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in %s', (_, theme) => {
  const ratio = (a: string, b: string) =>
    contrast(colors.get(a)?.[theme] ?? '', colors.get(b)?.[theme] ?? '');

  it.each(text)('%s text has enough contrast on %s', (ink, ground) => {
    expect(ratio(ink, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes)('%s shapes have enough contrast on %s', (shape, ground) => {
    expect(ratio(shape, ground)).toBeGreaterThanOrEqual(3);
  });
});
