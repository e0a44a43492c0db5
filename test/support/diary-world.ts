import { diarySource, entry } from './diary-source.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** A world with two diaries of a few entries each, and a token for either and for both. */
export async function createDiaryWorld(
  options: WorldOptions = {},
): Promise<World & { mine: string; theirs: string; both: string }> {
  const world = await createWorld(options);
  await world.addSource(diarySource, { mine: 'My diary', theirs: 'Their diary' });
  for (const connection of ['mine', 'theirs']) {
    const lines = ['one', 'two', 'three'].map((id, i) =>
      entry(id, {
        title: `${connection} ${id}`,
        body: `marker-${connection} number ${i}`,
        created_at: `2026-0${i + 1}-01T10:00:00Z`,
      }),
    );
    await world.ingest(connection, 'entries', lines);
  }
  const grant = async (...ids: string[]) =>
    (await world.grant(ids.map((connection_id) => ({ connection_id })))).token;
  return {
    ...world,
    mine: await grant('mine'),
    theirs: await grant('theirs'),
    both: await grant('mine', 'theirs'),
  };
}
