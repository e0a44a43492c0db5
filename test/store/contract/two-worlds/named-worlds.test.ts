import { describe, it } from 'vitest';
import { checkNamedWorlds } from './named-worlds.ts';

describe('labels, values, units and me', () => {
  it('come from visible records alone', async () => {
    await checkNamedWorlds();
  });
});
