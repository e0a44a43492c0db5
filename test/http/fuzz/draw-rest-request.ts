import type { Draw } from '../../support/draw.ts';
import { drawJson, drawString } from './draw-hostile.ts';
import { drawToolCall } from './draw-tool-call.ts';
import { bearer, type Doors, encodePath, TYPES } from './http-request.ts';

export function drawRest(draw: Draw, doors: Doors) {
  const { arguments: args } = drawToolCall(draw, doors);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((args ?? {}) as object))
    query.append(
      name,
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 4_000).toWellFormed(),
    );
  const stream = draw.chance(75) ? 'entries' : encodePath(drawString(draw));
  const key = draw.chance(50) ? 'one' : encodePath(drawString(draw));
  const path = draw.pick([
    'schema',
    'streams',
    `streams/${stream}`,
    `streams/${stream}/records`,
    `streams/${stream}/records/${key}`,
    `streams/${stream}/aggregate`,
    'search',
    encodePath(drawString(draw)),
  ]);
  return {
    method: 'GET',
    path: `/v1/${path}?${query}${draw.chance(10) ? '&%zz=%' : ''}`,
    headers: bearer(draw, doors),
  };
}

export function drawIngest(draw: Draw, doors: Doors) {
  const line = () => {
    const id = drawString(draw);
    const good = { key: id, emitted_at: '2026-11-01T00:00:00Z', data: { id, extra: drawJson(draw) } };
    const odd = {
      ...good,
      ...(draw.chance(50) ? { [draw.pick(['key', 'op', 'emitted_at', 'data', 'x'])]: drawJson(draw) } : {}),
    };
    return draw.chance(85) ? JSON.stringify(odd) : drawString(draw);
  };
  // Only into what is there to be written to: what the owner sends in elsewhere would be stored as well.
  const elsewhere = drawString(draw).replace(/^(mine|theirs)$/, 'nowhere');
  const place = draw.chance(85)
    ? 'scratch/entries'
    : `${encodePath(elsewhere)}/${encodePath(drawString(draw))}`;
  return {
    method: 'POST',
    path: `/v1/ingest/${place}`,
    headers: {
      authorization: `Bearer ${draw.chance(90) ? doors.owner : draw.pick(doors.tokens)}`,
      'content-type': draw.chance(90) ? 'application/x-ndjson' : draw.pick(TYPES),
    },
    body: Array.from({ length: draw.upTo(4) }, line).join(draw.pick(['\n', '\r\n', '\n\n', ' '])),
  };
}
