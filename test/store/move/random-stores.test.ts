import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveStore } from '../../../src/store/move/move-store.ts';
import type { FieldKind } from '../../../src/store/scope.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { checkDrawn, type Draw } from '../../support/draw.ts';
import { createTestDatabase } from '../../support/postgres/databases.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { addStreams } from '../postgres/mirror/add-streams.ts';
import { drawBatch, fields, index, streams } from '../postgres/mirror/draw-mirror.ts';
import type { Side } from '../postgres/mirror/mirror-stores.ts';
import { dumpStore } from './dump-store.ts';
import { openMove } from './open-move.ts';

const AT = '2026-11-18T00:00:00Z';

/** The types of the drawn fields as an ordinary source declares them. */
const types: Partial<Record<FieldKind, object>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'string', format: 'date-time' },
};
const properties = Object.fromEntries(
  [...fields.values()].map(({ name, kind }) => [name, types[kind] ?? { type: 'string' }]),
);
const declaration = JSON.stringify({
  streams: ['one', 'two'].map((name) => ({ name, schema: { properties }, primary_key: ['label'] })),
});

async function fillFolder(draw: Draw, directory: string): Promise<void> {
  const { read, write, close } = await openStore(directory);
  const side: Side = { ...read, ...write, records: read.records, close };
  await addStreams(side);
  await write.transact(() => write.catalog.putSource('source', declaration, '2', AT));
  const importId = await write.imports.add({
    connection_id: 'main',
    format: 'drawn',
    started_at: AT,
    state: 'running',
    report: '{"text":"\\u0000 and \0"}',
  });
  for (let at = 0; at < 12; at++) {
    await write.batches.write(draw.pick(streams).streamId, drawBatch(draw), {
      holdsChanges: draw.chance(10),
      ...(draw.chance(50) ? { importId } : {}),
    });
    if (draw.chance(20))
      await write.transact(() => write.batches.reindex(draw.pick(streams).streamId, index));
  }
  close();
}

async function moveOnce(from: string, to: string, secret: Uint8Array): Promise<Uint8Array> {
  const { source, target } = await openMove(from, to, secret);
  try {
    await moveStore(source, target, { start() {}, add() {} });
    return source.secret;
  } finally {
    await target.close();
    await source.close();
  }
}

describe('a random store', () => {
  it('is the same after it was moved to PostgreSQL and back', async () => {
    const runs = Number(process.env.MOVE_RUNS ?? 5);
    await checkDrawn({ runs, seed: Number(process.env.MOVE_SEED ?? 1) }, async (draw) => {
      const [first, last] = [join(makeFolder(), 'first'), join(makeFolder(), 'last')];
      await fillFolder(draw, first);
      const url = await createTestDatabase();
      await moveOnce(url, last, await moveOnce(first, url, Buffer.alloc(0)));
      expect(dumpStore(last)).toEqual(dumpStore(first));
    });
  }, 600_000);
});
