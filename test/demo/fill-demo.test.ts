import { describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { fillGenerated } from '../../bench/generator/fill-generated.ts';
import {
  DEMO_CONNECTIONS,
  FORMER_DEMO_CONNECTION_IDS,
  findDemoConnections,
  findDemoEnd,
  findEndOfDay,
} from '../../src/demo/demo-connections.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import { removeConnections } from '../../src/import/remove-connection.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { createWorld, NOW, type World } from '../support/world.ts';

const dump = ({ store }: World) =>
  JSON.stringify(store.write.raw.prepare('select stream_id, key, t, data from records order by 1, 2').all());
const listIds = async ({ store }: World) =>
  (await loadCatalog(store.read)).connections.map(({ connection_id }) => connection_id);
const changes = ({ store }: World) =>
  store.write.raw.prepare('select count(*) from history').pluck().get() as number;

describe('filling in the demo', () => {
  it('gives the same records each time and changes nothing when repeated', async () => {
    const [one, other] = [
      await createWorld({ timeZone: 'Europe/Berlin' }),
      await createWorld({ timeZone: 'Europe/Berlin' }),
    ];
    const first = await fillDemo(one.store.write, DEMO_END, NOW);
    await fillDemo(other.store.write, DEMO_END, NOW);
    expect(dump(one)).toBe(dump(other));
    const before = changes(one);
    expect(await fillDemo(one.store.write, DEMO_END, NOW)).toEqual(first);
    expect([dump(one) === dump(other), changes(one)]).toEqual([true, before]);
    expect(first.connections).toBe(DEMO_CONNECTIONS.length);
  });

  it('lists its connections in order and finds its end even if one was removed', async () => {
    const world = await createWorld({ timeZone: 'Europe/Berlin' });
    await fillDemo(world.store.write, DEMO_END, NOW);
    expect(await listIds(world)).toEqual(DEMO_CONNECTIONS.map(({ connection_id }) => connection_id));
    expect(await findDemoEnd(world.store.read)).toEqual(DEMO_END);
    await removeConnections(world.store, ['gmail_nora'], NOW);
    expect(await findDemoEnd(world.store.read)).toEqual(DEMO_END);
  });

  it('uses the time zone of the owner', async () => {
    const world = await createWorld({ timeZone: 'America/New_York' });
    await fillDemo(world.store.write, DEMO_END, NOW);
    const starts = world.store.write.raw
      .prepare(`select data ->> '$.starts_at' from records where data ->> '$.title' = 'Bouldering with Léa'`)
      .pluck()
      .all() as string[];
    expect(starts.length).toBeGreaterThan(40);
    expect(starts.filter((start) => !/T18:30:00-0[45]:00$/.test(start))).toEqual([]);
  });

  it('ends on a valid date', () => {
    expect(findEndOfDay('2026-10-31')).toEqual(DEMO_END);
    for (const text of ['2026-02-31', '2026-1-1', 'today', '']) expect(findEndOfDay(text)).toBeUndefined();
  });
});

describe('removing the demo', () => {
  it('finds the connections of this and an earlier demo, except those with imports', async () => {
    const world = await createWorld({ timeZone: 'Europe/Berlin' });
    await fillGenerated(world.store.write, { records: 100, seed: 1, until: DEMO_END }, NOW);
    expect(findDemoConnections(await listIds(world), [])).toEqual(FORMER_DEMO_CONNECTION_IDS);
    expect(findDemoConnections(['spotify', 'gmail_nora', 'mine'], ['spotify'])).toEqual(['gmail_nora']);
    expect(
      FORMER_DEMO_CONNECTION_IDS.filter((id) => DEMO_CONNECTIONS.some((one) => one.connection_id === id)),
    ).toEqual([]);
  });

  it('removes all of it', async () => {
    const world = await createWorld({ timeZone: 'Europe/Berlin' });
    await fillDemo(world.store.write, DEMO_END, NOW);
    await removeConnections(world.store, findDemoConnections(await listIds(world), []), NOW);
    expect([await listIds(world), dump(world), await findDemoEnd(world.store.read)]).toEqual([
      [],
      '[]',
      undefined,
    ]);
  });
});
