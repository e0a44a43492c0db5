import type { Draw } from '../../support/draw.ts';
import { club } from './club-land.ts';
import { drawGrant } from './draw-grant.ts';
import { drawDay, drawStory } from './draw-records.ts';
import type { Tale } from './draw-tale.ts';
import { plainPalette } from './palette.ts';

/** What keys are called, what amounts are in, and who the owner is, each of which stands in other records too. */
export function drawClub(draw: Draw): Tale {
  // Where all that is in view is in one currency, a hidden second one is most likely to show.
  const units = draw.pick([plainPalette.units, ['EUR'], ['EUR', null]]);
  const palette = { ...plainPalette, units };
  const story = drawStory(draw, palette, club);
  const terms = drawGrant(draw, story, club);
  const connection_id = draw.pick(['club_north', 'club_south', '*', ['club_north', 'club_south']]);
  const payments = { stream: 'payments', connection_id };
  const sums = { ...payments, metric: draw.pick(['sum', 'avg', 'max']), field: 'amount' };
  const person = draw.pick(['user_id', 'cc']);
  const all = { all: { gte: drawDay(draw) }, before: { lt: drawDay(draw) } };
  return {
    land: club,
    timeZone: story.timeZone,
    palette,
    terms,
    chapters: [story.first, story.later],
    asked: [
      { tool: 'schema', args: { stream: ['payments', 'members'], connection_id: '*' } },
      { tool: 'query_records', args: { ...payments, ...draw.pick([{}, { expand: ['user.name'] }]) } },
      { tool: 'query_records', args: { ...payments, filter: { [person]: draw.pick(['me', { ne: 'me' }]) } } },
      { tool: 'aggregate', args: { ...payments, group_by: draw.pick([['user_id'], ['user.name']]) } },
      { tool: 'aggregate', args: { ...sums, ...draw.pick([{}, { interval: 'month' }, { ranges: all }]) } },
      { tool: 'aggregate', args: { ...sums, group_by: [draw.pick(['user_id', 'reason', 'connection_id'])] } },
      {
        tool: 'aggregate',
        args: {
          ...sums,
          group_by: [draw.pick(['user_id', 'user.name', 'connection_id'])],
          ...draw.pick([{ interval: draw.pick(['month', 'weekday', 'hour_of_day']) }, { ranges: all }]),
        },
      },
      {
        tool: draw.pick(['query_records', 'aggregate']),
        args: {
          ...payments,
          filter: { 'user.name': draw.pick([{ exists: true }, { contains: 'a' }, 'nobody']) },
        },
      },
    ],
  };
}
