import { expect } from 'vitest';
import type { World } from '../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every stream
type Row = any;

/** Reads a list to its end. `between` runs after each page but the last; the page size may vary by page. */
export async function readPages(
  world: World,
  token: string,
  tool: 'query_records' | 'search',
  args: Record<string, unknown>,
  options: { sizes?: number[]; between?: (page: number) => Promise<void> } = {},
): Promise<{ rows: Row[]; pages: number; last: Row }> {
  const { sizes = [100], between } = options;
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 500; page++) {
    const limit = sizes[page % sizes.length];
    const result = await world.call(token, tool, {
      ...args,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(result.isError, result.content[0]?.text).toBeUndefined();
    const answer = result.structuredContent;
    rows.push(...(answer.data ?? answer.results));
    if (!answer.has_more) return { rows, pages: page + 1, last: answer };
    cursor = answer.next_cursor;
    await between?.(page);
  }
  throw new Error('the pages do not end');
}
