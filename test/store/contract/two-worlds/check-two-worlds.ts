import { createDraw, type Draw, type Runs } from '../../../support/draw.ts';
import { usesFiles } from '../../../support/stores/engines.ts';
import { openStory, plainSetting } from '../../../support/story-world.ts';
import { drawTheme, type Tale, type Theme, themes } from '../draw/draw-tale.ts';
import { growSetting, twistSetting } from '../draw/twist-setting.ts';
import { Twister } from '../draw/twist-story.ts';
import { comparePagesAsApp } from './compare-app-pages.ts';
import { alternate, TaleReader } from './tale-reader.ts';

/** Tools whose results are cached. Every so-manieth call to them is asked by another app first. */
const CACHED_TOOLS = ['search', 'schema', 'aggregate'];
const ASKED_AS_OTHER = 3;

export interface TwoWorldRuns extends Runs {
  /** Only cases of this theme. */
  readonly theme?: Theme | undefined;
}

/** For random stores and grants, a second store that differs only in what is hidden answers the same bytes. */
export async function checkTwoWorlds({ runs, seed, theme }: TwoWorldRuns): Promise<number> {
  let requests = 0;
  for (let at = seed; at < seed + runs; at++) requests += (await checkCase(at, theme)).requests;
  return requests;
}

/** One case. What fails says how to run it again. */
export async function checkCase(seed: number, only?: Theme): Promise<{ theme: Theme; requests: number }> {
  const draw = createDraw(seed);
  const theme = only ?? drawTheme(draw);
  try {
    return { theme, requests: await checkTale(draw, themes[theme](draw)) };
  } catch (error) {
    const theOnly = only === undefined ? '' : ` --theme "${only}"`;
    const replay = `npm run two-worlds -- --runs 1 --seed ${seed}${theOnly}${usesFiles() ? '' : ' --engine postgres'}`;
    throw new Error(`${theme}: ${error instanceof Error ? error.message : error}\n  again: ${replay}`, {
      cause: error,
    });
  }
}

async function checkTale(draw: Draw, tale: Tale): Promise<number> {
  const { terms, palette, timeZone, land } = tale;
  const setting = twistSetting(draw, timeZone, land);
  const here = await openStory(plainSetting(timeZone, land));
  const there = await openStory(setting);
  try {
    const twister = new Twister(draw, terms, palette, setting);
    const other = await there.issueAll();
    let cached = 0;
    const grants = [await here.allow(terms), await there.allow(terms)] as const;
    const reader = new TaleReader(draw, tale, {
      here: { world: here, token: grants[0].token },
      there: { world: there, token: grants[1].token },
      disturb: async () => (draw.chance(40) ? there.apply(twister.drawHidden(2)) : undefined),
      goesOverRest: alternate(),
      askAsOther: async (tool, args) => {
        if (CACHED_TOOLS.includes(tool) && ++cached % ASKED_AS_OTHER === 0)
          await there.call(other, tool, args);
      },
    });
    if (tale.flood === 'neighbours') await there.apply(twister.drawNeighbours(tale.chapters[0] ?? []));
    for (const [at, chapter] of tale.chapters.entries()) {
      await here.apply(chapter);
      await there.apply(twister.twist(chapter, tale.flood === undefined ? 25 : 1));
      if (at === 0) await reader.take();
      if (at === 0 && tale.flood === 'edits') await there.apply(twister.drawEdits());
      if (at === 0 && tale.flood === 'library') await there.apply(twister.drawLibrary());
      if (at > 0 && tale.redeclares === true && draw.chance(60)) {
        twister.setting = growSetting(draw, twister.setting);
        await there.redeclare(twister.setting.specs);
      }
      await reader.read(at === tale.chapters.length - 1);
    }
    await reader.readAround();
    const pages = await comparePagesAsApp(draw, tale, [here, there], [grants[0].grantId, grants[1].grantId]);
    return reader.requests + pages;
  } finally {
    here.close();
    there.close();
  }
}
