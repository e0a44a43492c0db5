import { describe, expect, it } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { countTables } from '../support/fill-store.ts';
import { usesFiles } from '../support/stores/engines.ts';
import { dumpTables, queryTables } from '../support/stores/tables.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, type Line } from '../support/world.ts';

let next = 0;

const world = await useWorld(createWorld());
await world.addSource(diarySource, { mine: 'My diary' });
const { token } = await world.grant([{ connection_id: 'mine' }]);

const at = (second: number) => `2026-11-01T00:00:${String(second).padStart(2, '0')}Z`;
const put = (id: string, title: string, second: number): Line => entry(id, { title }, at(second));
const drop = (id: string, second: number): Line => ({ key: id, op: 'delete', emitted_at: at(second) });
const freshId = () => `n${++next}`;

/** Sends each line as a batch of its own and says what became of it. */
async function send(...lines: Line[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const line of lines) {
    const report = await world.ingest('mine', 'entries', [line]);
    outcomes.push(
      (['new', 'changed', 'same', 'deleted', 'refused'] as const).find((one) => report[one] > 0) ?? '-',
    );
  }
  return outcomes;
}

async function readTitle(id: string): Promise<string | undefined> {
  const { structuredContent } = await world.call(token, 'query_records', {
    stream: 'entries',
    filter: { id },
  });
  return structuredContent.data[0]?.record.title;
}

describe('ingest', () => {
  it('counts new, changed, same, deleted and refused lines', async () => {
    const [a, b] = [freshId(), freshId()];
    const report = await world.ingest('mine', 'entries', [
      put(a, 'one', 1),
      put(b, 'one', 1),
      put(a, 'one', 1),
      put(a, 'two', 2),
      drop(b, 2),
      'not json',
    ]);
    expect(report).toEqual({
      lines: 6,
      new: 2,
      changed: 1,
      same: 1,
      deleted: 1,
      refused: 1,
      refusals: [{ line: 6, reason: 'is not valid JSON' }],
    });
    expect(await readTitle(a)).toBe('two');
    expect(await readTitle(b)).toBeUndefined();
  });

  it('reads upsert and a missing op as put', async () => {
    const id = freshId();
    expect(await send({ ...put(id, 'a', 1), op: 'upsert' }, { ...put(id, 'b', 2), op: 'put' })).toEqual([
      'new',
      'changed',
    ]);
  });

  const histories: [name: string, make: (id: string) => Line[], title: string | undefined][] = [
    ['one version', (id) => [put(id, 'v1', 1)], 'v1'],
    ['two versions', (id) => [put(id, 'v1', 1), put(id, 'v2', 2)], 'v2'],
    ['two versions of the same moment', (id) => [put(id, 'v1', 1), put(id, 'v2', 1)], 'v2'],
    ['a version that came back', (id) => [put(id, 'v1', 1), put(id, 'v2', 2), put(id, 'v1', 3)], 'v1'],
    ['a deletion', (id) => [put(id, 'v1', 1), drop(id, 2)], undefined],
    ['a deletion of the same moment', (id) => [put(id, 'v1', 1), drop(id, 1)], undefined],
    ['a deletion and a return', (id) => [put(id, 'v1', 1), drop(id, 2), put(id, 'v3', 3)], 'v3'],
    ['two deletions', (id) => [put(id, 'v1', 1), drop(id, 2), put(id, 'v3', 3), drop(id, 4)], undefined],
  ];
  it.each(histories)('of %s changes nothing when repeated', async (_, make, title) => {
    const id = freshId();
    const lines = make(id);
    await send(...lines);
    expect(await readTitle(id)).toBe(title);
    const before = await dumpTables(world.store);
    expect(await send(...lines)).toEqual(lines.map(() => 'same'));
    expect(await world.ingest('mine', 'entries', lines)).toMatchObject({ same: lines.length, refused: 0 });
    expect(await readTitle(id)).toBe(title);
    expect(await dumpTables(world.store)).toEqual(before);
  });

  it('never lets an older line win, in any order of lines', async () => {
    const id = freshId();
    expect(await send(put(id, 'v5', 5), put(id, 'v3', 3), drop(id, 4))).toEqual(['new', 'same', 'same']);
    expect(await readTitle(id)).toBe('v5');
    expect(await send(drop(id, 7), put(id, 'v6', 6))).toEqual(['deleted', 'same']);
    expect(await readTitle(id)).toBeUndefined();
  });

  it('remembers when a record was last confirmed, so that an older line cannot revert it', async () => {
    const id = freshId();
    expect(await send(put(id, 'v1', 1), put(id, 'v1', 5))).toEqual(['new', 'same']);
    expect(await send(put(id, 'v3', 3))).toEqual(['same']);
    expect(await readTitle(id)).toBe('v1');
  });

  it('remembers a deletion that arrives before its record', async () => {
    const id = freshId();
    await send(drop(id, 5));
    expect(await send(put(id, 'v3', 3))).toEqual(['same']);
    expect(await readTitle(id)).toBeUndefined();
  });

  it('compares instants, not their spelling', async () => {
    const id = freshId();
    await send(entry(id, { title: 'late' }, '2026-11-01T01:00:00+00:00'));
    // 01:30 at +02:00 is 23:30 of the day before.
    expect(await send(entry(id, { title: 'early' }, '2026-11-01T01:30:00+02:00'))).toEqual(['same']);
    expect(await readTitle(id)).toBe('late');
  });

  it('treats the same values in another order as the same record', async () => {
    const id = freshId();
    const line = { emitted_at: at(1), key: id };
    await send({ ...line, data: { id, title: 't', stars: 1 } });
    expect(await send({ ...line, emitted_at: at(2), data: { stars: 1, title: 't', id } })).toEqual(['same']);
  });

  it('keeps the last of several lines for one record in a batch and updates its time', async () => {
    const id = freshId();
    const lines = ['2026-01-05T10:00:00Z', '2026-03-05T10:00:00Z', '2026-02-05T10:00:00Z'].map(
      (created_at, i) => entry(id, { created_at }, at(i)),
    );
    expect(await world.ingest('mine', 'entries', lines)).toMatchObject({ new: 1, changed: 2 });
    const days = await queryTables(
      world.store,
      'select day, n from days where n > 0 and day between 20450 and 20530',
    );
    expect(days).toEqual([{ day: Date.UTC(2026, 1, 5) / 86_400_000, n: 1 }]);
    if (usesFiles())
      expect(countTables(world.store)).toMatchObject({ wrongDays: 0, strayTexts: 0, strayFacets: 0 });
  });
});
