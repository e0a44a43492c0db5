import { afterAll } from 'vitest';
import type { Browser } from './browser.ts';
import { createDiaryWorld } from './diary-world.ts';
import { createOwnerBrowser, OAuthClient } from './oauth-client.ts';
import type { World } from './world.ts';

/** A world for all tests of a file: made while the file is read, closed after its last test. */
export async function useWorld<W extends World>(making: Promise<W>): Promise<W> {
  const world = await making;
  afterAll(() => world.close());
  return world;
}

export interface SignedIn<W extends World> {
  readonly world: W;
  readonly owner: Browser;
  readonly client: OAuthClient;
}

/**
 * The same with an owner who has signed in and an app that has registered; by default two diaries. It runs by the
 * real clock, because the authorization server does.
 */
export async function useSignedInWorld(): Promise<SignedIn<Awaited<ReturnType<typeof createDiaryWorld>>>>;
export async function useSignedInWorld<W extends World>(making: Promise<W>): Promise<SignedIn<W>>;
export async function useSignedInWorld(
  making: Promise<World> = createDiaryWorld({ clock: 'real' }),
): Promise<SignedIn<World>> {
  const world = await useWorld(making);
  const owner = await createOwnerBrowser(world);
  return { world, owner, client: await OAuthClient.register(world) };
}
