import { DEMO_END } from '../../../bench/demo-end.ts';
import { fillGenerated } from '../../../bench/generator/fill-generated.ts';
import type { Browser, FormChange } from '../browser.ts';
import { createOwnerBrowser, type OAuthClient } from '../oauth-client.ts';
import { createWorld, NOW, type World, type WorldOptions } from '../world.ts';

/** The demo on a server whose owner has signed in, so that apps can be let in through the real pages. */
export async function createSignedInDemo(
  options: WorldOptions = {},
): Promise<World & { browser: Browser; connect(client: OAuthClient, form?: FormChange): Promise<string> }> {
  const world = await createWorld({ timeZone: 'Europe/Berlin', clock: 'real', ...options });
  await fillGenerated(world.store.write, { records: 2_000, seed: 1, until: DEMO_END }, NOW);
  const browser = await createOwnerBrowser(world);
  return {
    ...world,
    browser,
    /** An access token for all that the page offers, sensitive or not. */
    async connect(client, form = {}) {
      const page = await browser.open(client.startUrl().url);
      const all = (name: string) =>
        [...page.text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(
          (one) => one[1] as string,
        );
      const choice = { stream: all('stream'), field: all('field'), ...form };
      return (await client.connect(browser, choice)).access_token;
    },
  };
}
