import { expect } from 'vitest';
import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { listLives, openWandering, readFirst, readOn, type WanderingWorld } from './wandering.ts';

/** Ways to page; the record that comes first in each of them is one that every move changes. */
const pages = { 'by default': {}, 'by title': { sort: 'title' } };

/**
 * Moves a world to its end and notes what every handle of every earlier moment answers at every later one: new
 * sessions of changes, sessions that were begun and not read to the end, pages that were begun and not read to the end.
 */
async function listen(side: WanderingWorld, moves: number): Promise<Map<string, string[]>> {
  const heard = new Map<string, string[]>();
  const sinces: string[] = ['beginning'];
  const begun: { name: string; args: Record<string, unknown> }[] = [];
  const begin = async (name: string, args: Record<string, unknown>) => {
    const cursor = await readFirst(side, args);
    if (cursor !== undefined) begun.push({ name, args: { ...args, cursor } });
  };
  for (let at = 0; at < moves; at++) {
    await side.move(at);
    for (const { name, args } of begun)
      heard.set(`${name}, read on after move ${at}`, (await readOn(side, args)).rows);
    for (const [from, changes_since] of sinces.entries()) {
      const { rows, next } = await readOn(side, { changes_since });
      heard.set(`changes since ${from} after move ${at}`, rows);
      if (from === 0) sinces.push(next as string);
      await begin(`changes since ${from} begun after move ${at}`, { changes_since });
    }
    for (const [name, args] of Object.entries(pages)) {
      heard.set(`${name} after move ${at}`, (await readOn(side, args)).rows);
      await begin(`pages ${name} begun after move ${at}`, args);
    }
  }
  return heard;
}

/** Every life of so many moves, and beside it the plainest life that looks the same: every handle answers the same. */
export async function checkWandering(
  moves: number,
  terms: (keys: string[]) => GrantedStreamTerms,
): Promise<number> {
  const lives = listLives(moves);
  const [one, twin] = [await openWandering(lives, terms, false), await openWandering(lives, terms, true)];
  try {
    const [here, there] = [await listen(one, moves), await listen(twin, moves)];
    for (const [name, rows] of here) {
      const [own, other] = [new Set(rows), new Set(there.get(name))];
      const differing = [...own].filter((row) => !other.has(row));
      differing.push(...[...other].filter((row) => !own.has(row)));
      expect(differing.slice(0, 4), name).toEqual([]);
      expect(rows, name).toEqual(there.get(name));
    }
    return here.size;
  } finally {
    one.world.close();
    twin.world.close();
  }
}
