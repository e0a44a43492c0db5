import type { Draw } from '../../../support/draw.ts';
import { letters } from '../../../support/granted-sources.ts';
import type { Step } from '../../../support/story-step.ts';
import { drawGrant } from './draw-grant.ts';
import { drawData, drawStory } from './draw-records.ts';
import type { DrawnRequest } from './draw-request.ts';
import type { Tale } from './draw-tale.ts';
import { CANCELLING, widePalette } from './palette.ts';

/** Sums that an order could change, read by who may not see the time that the records lie in order of. */
export function drawSums(draw: Draw): Tale {
  const palette = widePalette(draw);
  const story = drawStory(draw, palette);
  const connection = draw.pick(['post_home', 'post_work']);
  const cancelling = CANCELLING.map((price, at): Step => {
    const id = `sum${at}`;
    const data = drawData(draw, letters, { id }, palette);
    return { place: { connection, spec: letters }, key: id, data: { ...data, folder: 'a', price } };
  });
  const fields = Object.keys(letters.fields).filter(
    (name) => name !== 'sent_at' && (draw.chance(70) || name === 'id' || name === 'price'),
  );
  const target = { stream: 'letters', connection_id: connection, field: 'price' };
  const groups = fields.filter((name) => ['folder', 'read', 'box_id', 'due'].includes(name));
  const others = drawGrant(draw, story).filter(
    (one) => one.connection_id !== connection || one.stream !== 'letters',
  );
  return {
    timeZone: story.timeZone,
    palette,
    chapters: [[...story.first, ...draw.shuffle(cancelling)], story.later],
    terms: [...others, { connection_id: connection, stream: 'letters', fields, time_field: 'sent_at' }],
    asked: ['sum', 'avg'].flatMap((metric): DrawnRequest[] => [
      { tool: 'aggregate', args: { ...target, metric } },
      { tool: 'aggregate', args: { ...target, metric, connection_id: '*' } },
      ...groups.map((name) => ({ tool: 'aggregate', args: { ...target, metric, group_by: [name] } })),
    ]),
  };
}
