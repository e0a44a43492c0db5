import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { whileUsed } from '../../src/limits/while-used.ts';

it('lets go of a storage when the last who uses it is done, however that ends', async () => {
  const storage = new AsyncLocalStorage<string>();
  const use = whileUsed(storage);
  const long = use(() =>
    storage.run('long', async () => {
      await setImmediate();
      await setImmediate();
      return storage.getStore();
    }),
  );
  const short = use(() =>
    storage.run('short', async () => {
      await setImmediate();
      throw new Error('short');
    }),
  );
  await expect(short).rejects.toThrow('short');
  expect(await long).toBe('long');
  storage.enterWith('a second time');
  await use(async () => undefined);
  expect(storage.getStore()).toBeUndefined();
});
