import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import { type Land, postAndLog } from '../../../support/granted-sources.ts';
import { ORIGIN } from '../../../support/world.ts';
import { type DrawnRequest, drawRequest } from './draw-request.ts';
import { misspell } from './misspell.ts';
import type { Palette } from './palette.ts';
import { HIDDEN_NAMES } from './twist-setting.ts';

/**
 * As any request, but wider than the oracle can follow: misspelt words, names that only the other world has,
 * addresses instead of ids, places in a text, numbers of every size, and now and then an argument of another tool.
 */
export function drawWideRequest(
  draw: Draw,
  terms: readonly GrantedStreamTerms[],
  palette: Palette,
  land: Land = postAndLog,
): DrawnRequest {
  const { tool, args } = drawRequest(draw, terms, land);
  const wide = { ...args, ...widen(draw, tool, args, palette) };
  return { tool, args: draw.chance(18) ? { ...wide, ...nameHidden(draw) } : wide };
}

function widen(
  draw: Draw,
  tool: string,
  args: Record<string, unknown>,
  palette: Palette,
): Record<string, unknown> {
  switch (tool) {
    case 'search':
      return {
        query: drawQuery(draw, palette),
        ...(draw.chance(40) ? { also: drawWordings(draw, palette) } : {}),
      };
    case 'fetch':
      return {
        id: draw.chance(30) ? `${ORIGIN}/r/${args.id}${draw.pick(['', '', '.md', '.json'])}` : args.id,
        ...(draw.chance(30) ? { offset: draw.pick([0, 1, 30, 400, 99_999, 100_020, -1, -50]) } : {}),
        ...(draw.chance(20) ? { query: drawQuery(draw, palette) } : {}),
        ...(draw.chance(10)
          ? { connection_id: draw.pick(['*', 'post_home', ...HIDDEN_NAMES.connections]) }
          : {}),
      };
    case 'aggregate':
      return draw.chance(15)
        ? { metric: draw.pick(['sum', 'avg']), field: draw.pick(['price', 'ref', 'weight']) }
        : {};
    case 'query_records':
      return draw.chance(10)
        ? { filter: { price: { [draw.pick(['gt', 'lte'])]: draw.pick(palette.numbers) } } }
        : {};
    default:
      return {};
  }
}

function drawQuery(draw: Draw, palette: Palette): string {
  const word = () => {
    const one = draw.pick(palette.words);
    return draw.chance(65) ? misspell(draw, one) : one;
  };
  return Array.from({ length: 1 + draw.upTo(draw.pick([0, 0, 2])) }, word).join(' ') || 'harbor';
}

function drawWordings(draw: Draw, palette: Palette): string[] {
  return Array.from({ length: 1 + draw.upTo(2) }, () => drawQuery(draw, palette));
}

function nameHidden(draw: Draw): Record<string, unknown> {
  const field = () => draw.pick(HIDDEN_NAMES.fields);
  const named: Record<string, unknown>[] = [
    { stream: draw.pick(HIDDEN_NAMES.streams) },
    { streams: [draw.pick(HIDDEN_NAMES.streams)] },
    { connection_id: draw.pick(HIDDEN_NAMES.connections) },
    { sort: field() },
    { field: field() },
    { fields: [field()] },
    { filter: { [field()]: 'x' } },
    { group_by: [field()] },
    { expand: [draw.pick([...HIDDEN_NAMES.streams, ...HIDDEN_NAMES.relations])] },
  ];
  return draw.pick(named);
}
