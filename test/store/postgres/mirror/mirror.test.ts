import { describe, expect, it } from 'vitest';
import { checkDrawn, type Draw } from '../../../support/draw.ts';
import { addStreams, write } from './add-streams.ts';
import { drawBatch, index, streams } from './draw-mirror.ts';
import { openMirror } from './mirror-stores.ts';
import { drawReads } from './read-everything.ts';

const BATCHES = 5;
async function checkMirror(draw: Draw): Promise<void> {
  const sides = await openMirror();
  try {
    for (const side of sides) await addStreams(side);
    let since = 0;
    for (let at = 0; at < BATCHES; at++) {
      const [stream, changes] = [draw.pick(streams), drawBatch(draw)];
      const options = { holdsChanges: draw.chance(10) };
      const [a, b] = await Promise.all(
        sides.map((side) => side.batches.write(stream.streamId, changes, options)),
      );
      expect(b).toEqual(a);
      if (draw.chance(40)) since = await sides[0].records.horizon();
      if (draw.chance(20))
        for (const side of sides) await side.transact(() => side.batches.reindex(stream.streamId, index));
      if (draw.chance(20))
        for (const side of sides) await side.transact(() => side.catalog.rebuildLargeRecords('main'));
    }
    for (const [name, args, run] of drawReads(draw, since)) {
      const [sqlite, postgres] = [
        await run(sides[0]),
        await run(sides[1]).catch((error: Error) => `${error.stack}`),
      ];
      expect(write(postgres), `${name} ${write(args)}`).toBe(write(sqlite));
    }
  } finally {
    for (const side of sides) side.close();
  }
}

describe('PostgreSQL and SQLite', () => {
  it('answer every read of the same records alike', async () => {
    await checkDrawn(
      { runs: Number(process.env.MIRROR_RUNS ?? 12), seed: Number(process.env.MIRROR_SEED ?? 1) },
      checkMirror,
    );
  }, 600_000);
});
