import { expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createClubWorld, member } from '../support/club-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createClubWorld());
const KEYS = Array.from({ length: 100 }, (_, index) => `big${index}`);
/** Of the processor. Reading and parsing the records that are pointed to takes several times as long. */
const SOON_MS = 100;

it('R-04 a filter by a hundred keys does not read the records that they are keys of', async () => {
  const note = 'words and more '.repeat(33_000);
  for (const key of KEYS) {
    const line = member(key, key);
    await world.ingest('north', 'members', [{ ...line, data: { ...line.data, email: note } }]);
  }
  const ask = async () =>
    readAnswer(
      await world.call(world.token, 'aggregate', {
        stream: 'payments',
        connection_id: 'north',
        filter: { member_id: KEYS },
      }),
    );
  expect((await ask()).data.total).toBe(0);
  const before = process.cpuUsage();
  await ask();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(SOON_MS);
});
