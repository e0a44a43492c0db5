import { cutText } from '../text/cut-text.ts';
import { readTokens } from '../words/tokens.ts';

/** Words this near each other stand together. */
const TOGETHER = 400;
/** A little of what comes before is shown too. */
const BEFORE = 120;
const MOST_CHARACTERS = 2_000_000;
const MOST_WORDS = 12;

/** Where in a text the most of the words stand together, or undefined where none of them occurs. */
export function findPassage(text: string, query: string): number | undefined {
  const wanted = new Set(
    [...readTokens(query.slice(0, 500))].map((token) => token.word).slice(0, MOST_WORDS),
  );
  const near: { word: string; start: number }[] = [];
  let best: { start: number; words: number } | undefined;
  for (const { word, start } of readTokens(text.slice(0, MOST_CHARACTERS))) {
    if (!wanted.has(word)) continue;
    near.push({ word, start });
    while ((near[0]?.start ?? start) < start - TOGETHER) near.shift();
    const words = new Set(near.map((one) => one.word)).size;
    if (words > (best?.words ?? 0)) best = { start: near[0]?.start ?? start, words };
  }
  return best && Math.max(0, cutText(text, Math.max(0, best.start - BEFORE)).length);
}
