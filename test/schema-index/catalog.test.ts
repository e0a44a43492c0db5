import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { changeTimeZone, renameConnection, writeTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { diarySource } from '../support/diary-source.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.addSource(diarySource, { mine: 'My diary' });
});
afterEach(() => world.close());

describe('the catalog', () => {
  it('is read once for all callers until it changes', async () => {
    const { read, write } = world.store;
    const before = await loadCatalog(read);
    expect(await loadCatalog(read)).toBe(before);
    await renameConnection(write, 'mine', 'Yours');
    const after = await loadCatalog(read);
    expect(after.connections).toMatchObject([{ display_name: 'Yours' }]);
    expect(after.version).toBeGreaterThan(before.version);
    expect(before.connections).toMatchObject([{ display_name: 'My diary' }]);
  });

  it('is not cached from a transaction that was rolled back', async () => {
    const { read, write } = world.store;
    const undone = write.transact(async () => {
      await writeTimeZone(write, 'Asia/Tokyo');
      expect((await loadCatalog(write)).timeZone).toBe('Asia/Tokyo');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    // It has the number of the one that was taken back.
    await changeTimeZone(write, 'Europe/Lisbon');
    expect((await loadCatalog(write)).timeZone).toBe('Europe/Lisbon');
    expect((await loadCatalog(read)).timeZone).toBe('Europe/Lisbon');
  });
});
