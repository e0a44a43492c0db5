import { tools } from '../../../src/tools/index.ts';
import type { Draw } from '../../support/draw.ts';
import { damage, drawJson, drawString } from './draw-hostile.ts';

/** What a world can be asked about by its right name. */
export interface Known {
  /** Handles that were given out, by the tool and arguments they belong to. */
  readonly handles: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
}

const NAMES = [...new Set(tools.flatMap((tool) => Object.keys(tool.inputSchema.properties as object)))];
const FIELDS = ['id', 'title', 'body', 'created_at', 'day', 'stars', 'price', 'done', 'tags', 'extra'];

/** Arguments that are almost right: the needed ones, then others of every type under known and unknown names. */
export function drawToolCall(draw: Draw, known: Known): { name: string; arguments: unknown } {
  if (draw.chance(15)) return drawHandleCall(draw, known);
  const name = draw.chance(97) ? draw.pick(tools).name : drawString(draw);
  if (draw.chance(3)) return { name, arguments: drawJson(draw) };
  const needed = {
    query_records: { stream: 'entries', connection_id: 'mine' },
    aggregate: { stream: 'entries', connection_id: 'mine' },
    search: { query: draw.chance(50) ? 'marker' : drawString(draw) },
    fetch: { id: draw.chance(50) ? 'mine/entries/one' : drawId(draw) },
  }[name];
  const more = Array.from({ length: draw.upTo(4) }, () => [
    draw.chance(92) ? draw.pick(NAMES) : drawString(draw),
    drawArgument(draw),
  ]);
  return { name, arguments: { ...(draw.chance(90) ? needed : {}), ...Object.fromEntries(more) } };
}

/** A handle that was given out, as it is or damaged, with its own arguments or with others. */
function drawHandleCall(draw: Draw, { handles }: Known): { name: string; arguments: unknown } {
  const { tool, args } = draw.pick(handles);
  const name = draw.chance(90) ? tool : draw.pick(tools).name;
  const handle = args.cursor === undefined ? 'changes_since' : 'cursor';
  const own = draw.chance(80) ? { [handle]: damage(draw, String(args[handle])) } : {};
  return {
    name,
    arguments: { ...args, ...own, ...(draw.chance(20) ? { [draw.pick(NAMES)]: drawArgument(draw) } : {}) },
  };
}

function drawArgument(draw: Draw): unknown {
  switch (draw.upTo(6)) {
    case 0:
      return drawFilter(draw);
    case 1:
      return [draw.pick(FIELDS)];
    case 2:
      return draw.pick(FIELDS);
    case 3:
      return draw.pick([1, 5, 100, 1_000, 0, -1, 1.5]);
    case 4:
      return draw.pick([
        'exact',
        'sum',
        'avg',
        'count_distinct',
        'month',
        'hour',
        'full',
        '-value',
        'Europe/Berlin',
        '*',
      ]);
    default:
      return drawJson(draw);
  }
}

function drawFilter(draw: Draw): unknown {
  const operators = ['gt', 'gte', 'lt', 'lte', 'ne', 'exists', 'in', '__proto__'];
  const condition = () =>
    draw.chance(50)
      ? drawJson(draw, 1)
      : { [draw.pick(operators)]: drawJson(draw, 1), [draw.pick(operators)]: drawJson(draw, 0) };
  return Object.fromEntries(
    Array.from({ length: 1 + draw.upTo(2) }, () => [
      draw.chance(85) ? draw.pick(FIELDS) : drawString(draw),
      condition(),
    ]),
  );
}

export function drawId(draw: Draw): string {
  const part = (name: string) => (draw.chance(60) ? name : drawString(draw));
  const id = ['mine', 'entries', 'one'].map(part).join('/');
  return draw.chance(30) ? damage(draw, id) : id;
}
