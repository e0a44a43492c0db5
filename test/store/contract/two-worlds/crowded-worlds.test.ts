import { describe, it } from 'vitest';
import { crowdedWorlds } from './crowded-worlds.ts';

describe('two stores with more in them than is ever ranked at once', () => {
  it.each(Object.entries(crowdedWorlds))('G-08 %s', async (_, check) => {
    await check();
  });
});
