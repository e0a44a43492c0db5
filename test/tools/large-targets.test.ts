import { expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createClubWorld, member, payment } from '../support/club-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createClubWorld());
const KEYS = Array.from({ length: 100 }, (_, index) => `big${index}`);
/** Of the processor. Reading and parsing the records that are pointed to takes several times as long. */
const SOON_MS = 100;

for (const key of KEYS) {
  const line = member(key, `Member ${key.slice(3)}`);
  const email = 'words and more '.repeat(33_000);
  await world.ingest('north', 'members', [{ ...line, data: { ...line.data, email } }]);
}

/** Processor time of a call that was made before, and its answer. */
async function measure(tool: string, args: object) {
  const ask = async () => readAnswer(await world.call(world.token, tool, args));
  await ask();
  const before = process.cpuUsage();
  const answer = await ask();
  const { user, system } = process.cpuUsage(before);
  return { answer, ms: (user + system) / 1_000 };
}

it('R-04 a filter by a hundred keys does not read the records that they are keys of', async () => {
  const filter = { member_id: KEYS };
  const { answer, ms } = await measure('aggregate', {
    stream: 'payments',
    connection_id: 'north',
    filter,
  });
  expect(answer.data.total).toBe(0);
  expect(ms).toBeLessThan(SOON_MS);
});

it('R-04 a page is told what its keys stand for without reading the records that they are keys of', async () => {
  const payments = KEYS.map((key) => payment(`of-${key}`, key, 1, 'EUR', '2026-04-01T10:00:00Z'));
  await world.ingest('north', 'payments', payments);
  const { answer, ms } = await measure('query_records', {
    stream: 'payments',
    connection_id: 'north',
    fields: ['member_id'],
    limit: 100,
  });
  expect(answer.labels.member_id.big0).toBe('Member 0');
  expect(ms).toBeLessThan(SOON_MS);
});
