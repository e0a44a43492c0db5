import type { Draw } from '../../../support/draw.ts';
import { createPageApp } from '../../../support/servers/pages.ts';
import type { StoryWorld } from '../../../support/story-world.ts';
import type { Tale } from '../draw/draw-tale.ts';
import { listPaths, normalisePage } from '../equality/compare-pages.ts';
import { expectSame } from './compare-worlds.ts';

/** The list of all apps is the owner's alone. */
const APPS = '/dashboard/apps.json';

/** Compares pages that the owner views as the app, in two worlds that differ in what is hidden from it. */
export async function comparePagesAsApp(
  draw: Draw,
  tale: Tale,
  worlds: readonly [StoryWorld, StoryWorld],
  grantIds: readonly [string, string],
): Promise<number> {
  const paths = listPaths(draw, tale).filter((path) => path !== APPS);
  const [here, there] = worlds.map((world, at) => {
    const app = createPageApp(world);
    return async (path: string) => {
      const { status, text } = await app.get(`${path}${path.includes('?') ? '&' : '?'}as=${grantIds[at]}`);
      return `${status} ${removeApps(normalisePage(text))}`;
    };
  }) as [(path: string) => Promise<string>, (path: string) => Promise<string>];
  for (const path of paths) expectSame(path, await here(path), await there(path));
  return paths.length;
}

/** The owner chooses the view from all apps, and apps of the same name are told apart by their dates. */
function removeApps(page: string): string {
  return page.replace(/"viewing_as":\{[^}]*\},"apps":\[[^\]]*\]/, '"viewing_as":{}');
}
