import { describe, expect, it } from 'vitest';
import { usesFiles } from '../../../support/stores/engines.ts';
import { checkWandering } from './check-wandering.ts';
import { grants, listLives, openWandering, readOn } from './wandering.ts';

/** Four moves are needed to leave, be deleted and come back between two handles; five also move before or after it. */
const MOVES: Record<string, number> = { 'a window': 5 };

describe('records that wander: edited, moved out, edited or deleted out there, coming back', () => {
  it.each(Object.entries(grants))(
    'G-10 a hidden deletion shows in no handle, in no order of moves, under %s',
    async (name, terms) => {
      expect(await checkWandering(usesFiles() ? (MOVES[name] ?? 4) : 4, terms)).toBeGreaterThan(40);
    },
    120_000,
  );

  it('following the changes gives what a fresh look gives, whatever wandered', async () => {
    for (const terms of Object.values(grants)) {
      const side = await openWandering(listLives(4), terms, false);
      const replica = new Map<string, unknown>();
      let since = 'beginning';
      for (let at = 0; at < 4; at++) {
        await side.move(at);
        const { rows, next } = await readOn(side, { changes_since: since });
        since = next as string;
        for (const row of rows.map((text) => JSON.parse(text))) {
          if (row.removed) expect(replica.delete(row.id), row.id).toBe(true);
          else replica.set(row.id, row.record);
        }
        const now = (await readOn(side, {})).rows.map((text) => JSON.parse(text));
        expect(new Map([...replica].sort())).toEqual(
          new Map(now.map((row) => [row.id, row.record] as const).sort()),
        );
      }
      side.world.close();
    }
  }, 60_000);
});
