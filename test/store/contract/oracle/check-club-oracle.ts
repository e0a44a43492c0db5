import { expect } from 'vitest';
import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { checkDrawn, type Draw, type Runs } from '../../../support/draw.ts';
import { placesOf } from '../../../support/granted-sources.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';
import { club } from '../draw/club-land.ts';
import { drawGrant } from '../draw/draw-grant.ts';
import { drawStory, replay } from '../draw/draw-records.ts';
import { plainPalette } from '../draw/palette.ts';
import { findView, labelsOf, ownerOf, sumByUnit, unitsOf } from './club-oracle.ts';
import { idOf, seeThrough, type View } from './oracle-scope.ts';

const GRANTS = 4;

/** How often each thing was there to be told; a draw in which it never is would prove nothing. */
export interface Told {
  labels: number;
  units: number;
  owner: number;
}

/** For random clubs and grants: labels, units and who the owner is are those of what is in view. */
export async function checkClubOracle(runs: Runs): Promise<Told> {
  const told: Told = { labels: 0, units: 0, owner: 0 };
  await checkDrawn(runs, async (draw) => {
    const palette = { ...plainPalette, units: draw.pick([plainPalette.units, ['EUR'], ['EUR', null]]) };
    const story = drawStory(draw, palette, club);
    const world = await openStory(plainSetting(story.timeZone, club));
    try {
      const now = replay(story.later, replay(story.first));
      await world.apply([...story.first, ...story.later]);
      for (let at = 0; at < GRANTS; at++) {
        const terms = drawGrant(draw, story, club);
        const views = seeThrough(terms, now, story.timeZone, placesOf(club));
        await checkGrant(draw, world, terms, views, told);
      }
    } finally {
      world.close();
    }
  });
  return told;
}

async function checkGrant(
  draw: Draw,
  world: StoryWorld,
  terms: readonly GrantedStreamTerms[],
  views: readonly View[],
  told: Told,
): Promise<void> {
  const token = await world.issue(terms);
  for (const { id, self = [] } of club.connections) {
    const payments = findView(views, id, 'payments');
    if (payments === undefined) continue;
    const target = { stream: 'payments', connection_id: id };
    const has = (field: string) => Object.hasOwn(payments.kinds, field);
    const call = async (tool: string, args: object) => world.call(token, tool, { ...target, ...args });
    const context = JSON.stringify({ terms, target });

    if (has('user_id')) {
      const { structuredContent } = await call('aggregate', { group_by: ['user_id'], limit: 100 });
      const labels = labelsOf(views, id);
      for (const { user_id, label } of structuredContent.data.groups) {
        expect(label, `label of ${user_id}: ${context}`).toBe(labels.get(user_id));
        if (label !== undefined) told.labels += 1;
      }
    }
    if (has('amount') && has('currency')) {
      const units = unitsOf(payments.rows);
      const { structuredContent } = await call('aggregate', { metric: 'sum', field: 'amount', limit: 100 });
      const { data, meta } = structuredContent;
      expect(meta.warnings?.includes('mixed_units') ?? false, context).toBe(units !== undefined);
      if (units !== undefined) {
        told.units += 1;
        expect(data.total, `nothing is added up: ${context}`).toBeUndefined();
        const sums = sumByUnit(payments.rows);
        for (const { currency, value } of data.groups)
          expect(value ?? 0, `${currency}: ${context}`).toBeCloseTo(sums.get(currency) ?? Number.NaN, 6);
        expect(data.groups.length, context).toBe(sums.size);
      }
    }
    for (const field of ['user_id', 'cc'].filter(has)) {
      const owner = ownerOf(payments.rows, field, self);
      const negated = draw.chance(50);
      const filter = { [field]: negated ? { ne: 'me' } : 'me' };
      const { isError, structuredContent } = await call('query_records', { filter, limit: 100 });
      expect(isError ?? false, `${JSON.stringify(filter)}: ${context}`).toBe(owner.length === 0);
      if (isError === true) {
        expect(structuredContent.error.code).toBe('invalid_filter');
        continue;
      }
      told.owner += 1;
      const isMine = (value: unknown) => [value].flat().some((one) => owner.includes(one as string));
      const expected = payments.rows.filter(({ data }) => isMine(data[field]) !== negated).map(idOf);
      const found = structuredContent.data.map(({ id: one }: { id: string }) => one);
      expect(found.sort(), `${JSON.stringify(filter)}: ${context}`).toEqual(expected.sort());
    }
  }
}
