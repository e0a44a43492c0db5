import { readFileSync } from 'node:fs';

/** A block of a text file: what follows `marker` on its first line, and the lines below it. */
export interface Block {
  readonly head: string;
  readonly lines: readonly string[];
}

/** Splits a text file of this folder at the lines that begin with `marker`. */
export function readBlocks(name: string, marker: string): Block[] {
  const text = readFileSync(new URL(`./texts/${name}`, import.meta.url), 'utf8');
  return splitBlocks(text.split('\n'), marker);
}

export function splitBlocks(lines: readonly string[], marker: string): Block[] {
  const blocks: { head: string; lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith(marker)) blocks.push({ head: line.slice(marker.length).trim(), lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks;
}

export const joinLines = (lines: readonly string[]) => lines.join('\n').trim();
