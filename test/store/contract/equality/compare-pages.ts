import type { Draw } from '../../../support/draw.ts';
import { placesOf, postAndLog } from '../../../support/granted-sources.ts';
import { createPageApp } from '../../../support/servers/pages.ts';
import type { StoryWorld } from '../../../support/story-world.ts';
import type { Tale } from '../draw/draw-tale.ts';
import { expectSame } from '../two-worlds/compare-worlds.ts';

/** Compares what the owner sees of the same data in two worlds, as JSON, Markdown and CSV. Returns the number of pages. */
export async function compareOwnerPages(
  draw: Draw,
  tale: Tale,
  [here, there]: readonly [StoryWorld, StoryWorld],
): Promise<number> {
  const [a, b] = [createPageApp(here), createPageApp(there)];
  const paths = listPaths(draw, tale);
  for (const path of paths) {
    const [first, second] = [await a.get(path), await b.get(path)];
    expectSame(
      path,
      `${first.status} ${normalisePage(first.text)}`,
      `${second.status} ${normalisePage(second.text)}`,
    );
  }
  return paths.length;
}

/** Returns addresses of the owner's pages, of random records and filters. */
export function listPaths(draw: Draw, { land = postAndLog, palette, chapters }: Tale): string[] {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const { connection, spec } = draw.pick(placesOf(land));
  const list = `/dashboard/data/${connection}/${spec.name}`;
  const field = draw.pick(Object.keys(spec.fields));
  const word = encode(draw.pick(palette.words));
  const steps = chapters.flat();
  const records = draw.shuffle(steps).slice(0, 3);
  return [
    '/dashboard/data.json',
    `/dashboard/data.json?period=${draw.pick(['2026', '2026-03', '2025-12'])}`,
    `/dashboard/data.json?q=${word}&sort=${draw.pick(['newest', 'oldest', ''])}`,
    `${list}.json?sort=${draw.pick(['', '-'])}${field}`,
    `${list}.json?q=${word}`,
    `${list}.json?${draw.pick(['is', 'has', 'from', 'to'])}:${field}=${draw.pick(['a', '1', '2026-01-01', 'true'])}`,
    `${list}.csv`,
    '/dashboard/apps.json',
    ...records.flatMap(({ place, key }) =>
      ['.json', '.md'].map((end) => `/r/${place.connection}/${place.spec.name}/${encode(key)}${end}`),
    ),
  ];
}

/** Ids are random, and cursors are encrypted: answers with them may have one token more or less. */
export function normalisePage(text: string): string {
  return text
    .replace(/"grant_id":"[^"]*"/g, '"grant_id":"-"')
    .replace(/"request_id":"[^"]*"/g, '"request_id":"-"')
    .replace(/"(tokens_\w+)":\d+/g, '"$1":0')
    .replace(/grant_[\w-]+/g, 'grant_-')
    .replace(
      /"(next|next_cursor|previous|cursor)":"([^"]*)"/g,
      (_, name, cursor) => `"${name}":${cursor.length}`,
    );
}
