import type { Draw } from '../../../support/draw.ts';
import type { Tale } from '../draw/draw-tale.ts';
import { compare, type Handle, type Handles, type Pair } from '../two-worlds/compare-worlds.ts';

/** Uses cursors where they do not belong, and damaged ones. Returns the number of requests. */
export async function compareWrongCursors(draw: Draw, { terms }: Tale, pair: Pair): Promise<number> {
  const { stream, connection_id } = draw.pick(terms);
  const list = { stream, connection_id, limit: 1 };
  const { handles } = await compare(pair, 'query_records', list);
  const changes = await compare(pair, 'query_records', list, [
    { changes_since: 'beginning' },
    { changes_since: 'beginning' },
  ]);
  const wrong: [tool: string, args: Record<string, unknown>, handles: Handles][] = [
    ['query_records', { ...list, sort: '-id' }, handles],
    ['query_records', { ...list, filter: { id: 'k1' } }, handles],
    ['search', { query: 'harbour' }, handles],
    ['query_records', list, both(changes.handles, (cursor) => cursor)],
    ['query_records', list, both(handles, (cursor) => cursor.slice(0, -1))],
    ['query_records', list, both(handles, (cursor) => `${cursor}A`)],
    ['query_records', list, both(handles, () => draw.pick(['0', '\0', 'null', '=', '🤖']))],
  ];
  for (const [tool, args, given] of wrong) await compare(pair, tool, args, given);
  return wrong.length + 2;
}

function both(handles: Handles, change: (cursor: string) => string): Handles {
  const one = ({ cursor, changes_since }: Handle): Handle => ({
    cursor: change(cursor ?? changes_since ?? ''),
  });
  return [one(handles[0]), one(handles[1])];
}
