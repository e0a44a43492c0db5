import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createDiaryWorld } from '../diary-world.ts';
import type { World } from '../world.ts';
import { type Manners, startTinyServer, type TinyServer } from './tiny-server.ts';

/** A tiny server for the tests of one file. Each test finds it well-mannered and unasked. */
export function useTinyServer(): { world: World; server: TinyServer } {
  const at = {} as { world: World; server: TinyServer };
  beforeAll(async () => {
    at.world = await createDiaryWorld();
    at.server = await startTinyServer(at.world, ['mine']);
  });
  afterAll(() => {
    at.server.close();
    at.world.close();
  });
  beforeEach(() => {
    for (const name of Object.keys(at.server.manners)) delete at.server.manners[name as keyof Manners];
    at.server.requests.length = 0;
  });
  return at;
}
