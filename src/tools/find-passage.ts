import { readTokens } from '../words/tokens.ts';
import type { Document } from './document.ts';

/** Words this near each other stand together. */
const TOGETHER = 400;
/** A little of what comes before is shown too. */
const BEFORE = 120;
const MAX_CHARACTERS = 2_000_000;
const MAX_WORDS = 12;
/** Text is looked through in parts of this length. Each is read with what surrounds it, so that no word is split. */
const PART = 30_000;
const AROUND = 300;

/** Where in a text the most of the words stand together, or undefined where none of them occurs. */
export async function findPassage(document: Document, query: string): Promise<number | undefined> {
  const wanted = new Set([...readTokens(query.slice(0, 500))].map((token) => token.word).slice(0, MAX_WORDS));
  const near: { word: string; start: number }[] = [];
  let best: { start: number; words: number } | undefined;
  const end = Math.min(document.length, MAX_CHARACTERS);
  for (let from = 0; from < end; from += PART) {
    const lead = Math.min(from, AROUND);
    const text = await document.slice(from - lead, Math.min(end, from + PART + AROUND));
    for (const { word, start: place } of readTokens(text)) {
      if (place < lead || place >= lead + PART || !wanted.has(word)) continue;
      const start = from - lead + place;
      near.push({ word, start });
      while ((near[0]?.start ?? start) < start - TOGETHER) near.shift();
      const words = new Set(near.map((one) => one.word)).size;
      if (words > (best?.words ?? 0)) best = { start: near[0]?.start ?? start, words };
    }
  }
  return best && cutBefore(document, Math.max(0, best.start - BEFORE));
}

/** The end of a word near a place, or the place itself; never inside a character. */
async function cutBefore(document: Document, most: number): Promise<number> {
  if (document.length <= most) return document.length;
  const from = Math.floor(most * 0.8);
  const text = await document.slice(from, most + 1);
  const word = from + Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  if (word > most * 0.8) return word;
  const code = text.charCodeAt(most - 1 - from);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}
