import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import { entries, letters, type Place } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { drawData, ZONES } from './draw-records.ts';
import type { Tale } from './draw-tale.ts';
import { plainPalette } from './palette.ts';

const home: Place = { connection: 'post_home', spec: letters };
const log: Place = { connection: 'log_main', spec: entries };

const SINCE = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2026, 2, 1);
const INSIDE = ['2026-01-01', '2026-01-15', '2026-02-28'];
const OUTSIDE = ['2025-12-31', '2026-03-01', '2026-11-01'];

/** Records that leave a window, change or end there, and come back the same or changed; and again. */
export function drawWandering(draw: Draw): Tale {
  const places = draw.pick([[home], [log], [home, log]]);
  const wanderers = places.flatMap((place) =>
    Array.from({ length: 2 + draw.upTo(4) }, (_, at) => createWanderer(draw, place, `w${at}`)),
  );
  const chapters = Array.from({ length: 4 + draw.upTo(2) }, (_, chapter) =>
    draw.shuffle(wanderers).flatMap((one) => (chapter === 0 || draw.chance(55) ? one.wander() : [])),
  );
  return {
    timeZone: draw.pick(ZONES),
    palette: plainPalette,
    chapters,
    terms: places.map((place) => drawTerms(draw, place)),
    asked: places.map(({ connection, spec }) => ({
      tool: 'query_records',
      args: { stream: spec.name, connection_id: connection, changes_since: 'beginning' },
    })),
  };
}

function drawTerms(draw: Draw, { connection, spec }: Place): GrantedStreamTerms {
  const timeField = spec.timeField as string;
  const share = draw.pick([50, 100]);
  const fields = Object.keys(spec.fields).filter((name) => name === 'id' || draw.chance(share));
  const keys = Array.from({ length: 4 }, (_, at) => `w${at}`);
  return {
    connection_id: connection,
    stream: spec.name,
    fields,
    time_field: timeField,
    ...(draw.chance(85) ? { since: SINCE } : {}),
    ...(draw.chance(85) ? { until: UNTIL } : {}),
    ...(draw.chance(20) ? { keys: draw.some(keys, 70) } : {}),
  };
}

/** A record with a few faces, at a place inside, outside or nowhere. */
function createWanderer(draw: Draw, place: Place, key: string): { wander(): Step[] } {
  const timeField = place.spec.timeField as string;
  const faces = [0, 1].map(() => drawData(draw, place.spec, { id: key }, plainPalette));
  const inside = draw.pick(INSIDE);
  const at = (day: string): string => (timeField === 'day' ? day : `${day}T12:00:00Z`);
  let face = 0;
  // An old line is only old where there is a newer one.
  let where: 'inside' | 'outside' | 'nowhere' = 'nowhere';
  const put = (day: string): Step => ({ place, key, data: { ...faces[face], [timeField]: at(day) } as Data });
  return {
    wander() {
      if (where === 'inside' && draw.chance(12)) return [{ ...put(draw.pick(INSIDE)), stale: true }];
      where = draw.pick(['inside', 'inside', 'outside', 'outside', 'nowhere']);
      if (draw.chance(30)) face = draw.upTo(1);
      if (where === 'nowhere') return [{ place, key, data: undefined }];
      return [put(where === 'inside' ? inside : draw.pick(OUTSIDE))];
    },
  };
}
