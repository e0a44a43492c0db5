import type { Draw } from '../../../support/draw.ts';
import { club } from './club-land.ts';
import { drawGrant } from './draw-grant.ts';
import { drawDay, drawStory } from './draw-records.ts';
import type { Tale } from './draw-tale.ts';
import { plainPalette, WORDS } from './palette.ts';

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
  // Of what is asked for by its beginning nothing is found, and what is near it is named.
  const name = draw.pick(WORDS);
  const beginning = draw.pick(WORDS).slice(0, 3);
  const few = { all: { gte: drawDay(draw) }, before: { lt: drawDay(draw) } };
  // Ranges that overlap often are measured in another way than few.
  const many = { ...few, ever: { gte: '1970-01-01' }, later: { gte: drawDay(draw) } };
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
      { tool: 'query_records', args: { ...payments, filter: { reason: beginning } } },
      { tool: 'aggregate', args: { ...payments, group_by: ['user_id'] } },
      { tool: 'aggregate', args: { ...payments, group_by: ['user.name'] } },
      { tool: 'aggregate', args: { ...sums, ...draw.pick([{}, { interval: 'month' }, { ranges: few }]) } },
      { tool: 'aggregate', args: { ...sums, ranges: many } },
      {
        tool: draw.pick(['query_records', 'aggregate']),
        args: { ...payments, filter: { user_id: draw.pick([name, [name, 'k2'], { ne: name }]) } },
      },
      {
        tool: draw.pick(['query_records', 'aggregate']),
        args: {
          ...payments,
          filter: { 'user.name': draw.pick([{ exists: true }, { contains: 'a' }, name, { ne: name }]) },
        },
      },
      {
        tool: 'aggregate',
        args: {
          ...sums,
          interval: draw.pick(['month', 'weekday', 'hour_of_day', 'day']),
          group_by: [draw.pick(['user_id', 'user.name', 'connection_id', 'currency'])],
        },
      },
      { tool: 'aggregate', args: { ...sums, group_by: [draw.pick(['user_id', 'reason', 'connection_id'])] } },
    ],
  };
}
