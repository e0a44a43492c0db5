import type { Draw } from '../../../support/draw.ts';
import { boxes, entries, letters, type Place } from '../../../support/granted-sources.ts';
import type { Step } from '../../../support/story-step.ts';
import { drawData, drawKey, ZONES } from './draw-records.ts';
import type { Tale } from './draw-tale.ts';
import { misspell } from './misspell.ts';
import { longPalette } from './palette.ts';

const PLACES: readonly Place[] = [
  { connection: 'post_home', spec: letters },
  { connection: 'post_home', spec: boxes },
  { connection: 'log_main', spec: entries },
];

/** A record, or a field of it, from somewhere in the middle, from the end, or from some words on. */
function drawFetch(draw: Draw, { connection, spec }: Place, fields: readonly string[]) {
  const { key } = drawKey(draw, spec);
  return {
    id: [connection, spec.name, key].map(encodeURIComponent).join('/'),
    ...(draw.chance(50) ? { field: draw.pick(fields) } : {}),
    ...draw.pick([
      {},
      { offset: draw.pick([30_000, 60_000]) },
      { offset: -900 },
      { query: 'glacier lantern' },
    ]),
  };
}

/** Few records, some of them very large, read by who may see one long text of them and not another. */
export function drawLongTexts(draw: Draw): Tale {
  const palette = longPalette();
  const place = draw.pick(PLACES);
  const chapter = (count: number): Step[] =>
    Array.from({ length: count }, () => {
      const { key, data } = drawKey(draw, place.spec);
      return { place, key, data: drawData(draw, place.spec, data, palette) };
    });
  const { connection, spec } = place;
  const [hidden] = draw.shuffle(spec.searchable.filter((name) => spec.fields[name] !== 'list'));
  const fields = Object.keys(spec.fields).filter(
    (name) => name !== hidden && (name === 'id' || draw.chance(80)),
  );
  const target = { stream: spec.name, connection_id: connection };
  return {
    timeZone: draw.pick(ZONES),
    palette,
    chapters: [chapter(5), chapter(2)],
    terms: [{ ...target, fields, ...(spec.timeField === undefined ? {} : { time_field: spec.timeField }) }],
    asked: [
      { tool: 'query_records', args: { ...target, limit: 3 } },
      { tool: 'query_records', args: { ...target, limit: 3, changes_since: 'beginning' } },
      ...Array.from({ length: 6 }, () => ({ tool: 'fetch', args: drawFetch(draw, place, fields) })),
      { tool: 'search', args: { query: draw.pick(palette.words), limit: 3 } },
      ...Array.from({ length: 6 }, () => ({
        tool: 'search',
        args: { query: misspell(draw, draw.pick(palette.words)), limit: 3 },
      })),
    ],
  };
}
