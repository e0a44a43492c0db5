import { createDraw, type Draw, type Runs } from '../../../support/draw.ts';
import { type Engine, engines, useEngine } from '../../../support/stores/engines.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';
import { drawTheme, type Tale, type Theme, themes } from '../draw/draw-tale.ts';
import type { Pair } from '../two-worlds/compare-worlds.ts';
import { alternate, TaleReader } from '../two-worlds/tale-reader.ts';
import { compareWrongCursors } from './compare-cursors.ts';
import { compareOwnerPages } from './compare-pages.ts';
import { drawHostile } from './hostile-texts.ts';

/** Cases of a hundred whose texts are hard to store and to compare. */
const HOSTILE_PERCENT = 40;

/** For random stores, grants and requests, every engine answers the same bytes. Returns the number of requests. */
export async function checkEquality({ runs, seed }: Runs): Promise<number> {
  let requests = 0;
  for (let at = seed; at < seed + runs; at++) requests += (await checkEngines(at)).requests;
  return requests;
}

/** One case. What fails says how to run it again. */
export async function checkEngines(seed: number, only?: Theme): Promise<{ theme: Theme; requests: number }> {
  const draw = createDraw(seed);
  const theme = only ?? drawTheme(draw);
  try {
    return { theme, requests: await checkTale(draw, themes[theme](draw)) };
  } catch (error) {
    const replay = `npm run equality -- --runs 1 --seed ${seed}${only === undefined ? '' : ` --theme "${only}"`}`;
    throw new Error(`${theme}: ${error instanceof Error ? error.message : error}\n  again: ${replay}`, {
      cause: error,
    });
  }
}

async function checkTale(draw: Draw, plain: Tale): Promise<number> {
  const hostile = draw.chance(HOSTILE_PERCENT) ? drawHostile(draw, plain) : undefined;
  const tale = hostile ?? plain;
  const [first, second] = engines as readonly [Engine, Engine];
  const here = await openOn(first, tale);
  const there = await openOn(second, tale);
  try {
    const pair: Pair = {
      here: { world: here, token: await here.issue(tale.terms) },
      there: { world: there, token: await there.issue(tale.terms) },
      disturb: async () => {},
      goesOverRest: alternate(),
      ...(hostile === undefined ? {} : { spoil: hostile.spoil }),
    };
    const reader = new TaleReader(draw, tale, pair);
    for (const [at, chapter] of tale.chapters.entries()) {
      for (const world of [here, there]) await world.apply(chapter);
      if (at === 0) await reader.take();
      await reader.read(at === tale.chapters.length - 1);
    }
    await reader.readAround();
    const cursors = await compareWrongCursors(draw, tale, pair);
    const pages = await compareOwnerPages(draw, tale, [here, there]);
    return reader.requests + cursors + pages;
  } finally {
    here.close();
    there.close();
  }
}

async function openOn(engine: Engine, { timeZone, land }: Tale): Promise<StoryWorld> {
  useEngine(engine);
  return openStory(plainSetting(timeZone, land));
}
