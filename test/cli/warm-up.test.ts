import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { warmUp } from '../../src/cli/serve/warm-up.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { ORIGIN } from '../support/world.ts';

const worlds: Awaited<ReturnType<typeof createNotesWorld>>[] = [];
const openWorld = async () => {
  const world = await createNotesWorld({
    connections: ['home'],
    notes: [note('one', { body: 'the harbour and the lake', created_at: '2026-01-01T08:00:00Z' })],
  });
  worlds.push(world);
  return world;
};
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** Everything that is written down of reads and of what happened. */
async function readBooks({ store }: Awaited<ReturnType<typeof createNotesWorld>>) {
  const reads = await store.audit.listReads({}, { order: 'oldest' });
  const events = await store.audit.listEvents({}, { order: 'oldest' });
  return { reads, events };
}

describe('a server that has just started', () => {
  it('runs a warm-up search without an audit entry', async () => {
    const world = await openWorld();
    const before = await readBooks(world);
    const asked = vi.spyOn(world.store.read.db, 'getExecutor');
    await warmUp(new EventEmitter(), world.store, world.request, ORIGIN);
    expect(asked.mock.calls.length).toBeGreaterThan(5);
    expect(await readBooks(world)).toEqual(before);
    expect(world.logged).toEqual([]);
  });

  it('leaves other loading to the first request', async () => {
    const world = await openWorld();
    const server = new EventEmitter();
    const asked = vi.spyOn(world.store.read.db, 'getExecutor');
    const warming = warmUp(server, world.store, world.request, ORIGIN);
    server.emit('connection');
    await warming;
    expect(asked).not.toHaveBeenCalled();
    expect(server.listenerCount('connection')).toBe(0);
  });

  it('serves requests when warming up fails', async () => {
    const world = await openWorld();
    world.store.close();
    await expect(warmUp(new EventEmitter(), world.store, world.request, ORIGIN)).resolves.toBeUndefined();
    worlds.length = 0;
  });
});
