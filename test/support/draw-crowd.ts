import type { Draw } from './draw.ts';
import type { Step } from './draw-records.ts';
import type { Tale } from './draw-tale.ts';
import { letters, type Place } from './granted-sources.ts';
import { misspell } from './misspell.ts';
import { scriptPalette } from './palette.ts';

const home: Place = { connection: 'post_home', spec: letters };
/** As many as are ranked at once. */
const RANKED = 300;

/** As many matches as are ranked, give or take a few, lying in two or three minutes; and hidden steps by the thousand. */
export function drawCrowd(draw: Draw): Tale {
  const palette = scriptPalette(draw);
  const common = draw.pick(palette.words);
  const minutes = [3 + draw.upTo(6), RANKED - 8 + draw.upTo(9), draw.upTo(6)];
  const crowd = minutes.flatMap((count, minute) =>
    Array.from({ length: count }, (_, at): Step => {
      const key = `m${minute}-${String(at).padStart(3, '0')}`;
      const second = String(at % 60).padStart(2, '0');
      const body = `${common} ${draw.pick(palette.words)}`;
      return { place: home, key, data: { id: key, sent_at: `2026-01-01T00:0${minute}:${second}Z`, body } };
    }),
  );
  const queries = [common, ...Array.from({ length: 6 }, () => misspell(draw, draw.pick(palette.words)))];
  return {
    timeZone: 'UTC',
    palette,
    chapters: [draw.shuffle(crowd), draw.some(crowd, 1)],
    terms: [
      {
        connection_id: 'post_home',
        stream: 'letters',
        fields: ['id', 'sent_at', 'body', ...draw.some(['title', 'read', 'size'], 50)],
        time_field: 'sent_at',
      },
    ],
    asked: queries.map((query) => ({ tool: 'search', args: { query, limit: 50 } })),
    flood: draw.pick(['edits', 'library']),
  };
}
