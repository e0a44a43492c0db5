import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { disableWhenIdle } from '../../src/limits/disable-when-idle.ts';

it('disables a storage when the last work that uses it has ended or failed', async () => {
  const storage = new AsyncLocalStorage<string>();
  const use = disableWhenIdle(storage);
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
