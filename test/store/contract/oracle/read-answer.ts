import { expect } from 'vitest';
import type { ToolResult } from '../../../support/world.ts';
import type { Arguments } from './oracle.ts';

const MAX_PAGES = 200;

/** Follows next_cursor to the end. */
export async function readAll(
  call: (more: { cursor?: string }) => Promise<ToolResult>,
  between: () => Promise<void> = async () => {},
): Promise<ToolResult[]> {
  const pages = [await call({})];
  while (pages.length < MAX_PAGES) {
    const { has_more: hasMore, next_cursor: cursor } = (pages.at(-1) as ToolResult).structuredContent;
    expect(cursor !== undefined, 'has_more and next_cursor go together').toBe(hasMore === true);
    if (cursor === undefined) return pages;
    await between();
    pages.push(await call({ cursor }));
  }
  throw new Error('the pages never end');
}

/** Holds the pages of an answer against what the oracle expects of it. */
export function compareAnswer(
  tool: string,
  args: Arguments,
  pages: readonly ToolResult[],
  // biome-ignore lint/suspicious/noExplicitAny: one shape per tool
  expected: any,
  context: string,
): void {
  const bodies = pages.map((page) => page.structuredContent);
  const body = bodies[0];
  switch (tool) {
    case 'query_records': {
      const rows = bodies.flatMap((one) => one.data);
      same(rows, expected.rows, context);
      same(body.count, expected.count, context);
      return;
    }
    case 'aggregate':
      compareAggregate(body.data, expected, args.group_by ?? [], context);
      return;
    case 'search': {
      const hits: { id: string; copies?: string[] }[] = bodies.flatMap((one) => one.results);
      const ids = hits.flatMap(({ id, copies = [] }) => [id, ...copies]);
      expect(ids.length, `no hit comes twice: ${context}`).toBe(new Set(ids).size);
      same(ids.sort(), [...expected].sort(), context);
      return;
    }
    case 'fetch':
      same(Object.keys(body).sort(), ['id', 'metadata', 'text', 'title', 'url'], context);
      same([body.id, body.text, body.metadata.time], [expected.id, expected.text, expected.time], context);
      same(body.metadata.complete, true, context);
      same(body.metadata.expanded, expected.expanded, context);
      return;
    case 'schema':
      compareSchema(body.data, args, expected, context);
      return;
    default:
      throw new Error(`there is no tool ${tool}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
function compareAggregate(data: any, expected: any, groupBy: readonly string[], context: string): void {
  const { total, value, records, groups, other } = data;
  same(
    { total, value, records, groups: groups?.map((group: object) => withoutLabels(group, groupBy)) },
    { total: expected.total, value: expected.value, records: expected.records, groups: expected.groups },
    context,
  );
  same(
    data.ranges?.map((range: object) => withoutLabels(range, groupBy)),
    expected.ranges,
    context,
  );
  same(other === undefined, expected.other === undefined, context);
  if (expected.other === undefined) return;
  // Beyond 2^53 a sum is as exact as a float, and the rest of one is no more exact than the whole.
  const isExact = Math.abs(Number(total)) < 2 ** 53 || other.records === 0;
  const rest = isExact ? expected.other : { ...expected.other, value: other.value };
  same(other, rest, context);
}

/** Names of what groups stand for have tests of their own, and the edges of a range are said in the call. */
function withoutLabels(group: object, groupBy: readonly string[]): object {
  const edges = 'range' in group ? ['gt', 'gte', 'lt', 'lte'] : [];
  const said = ['label', 'labels', ...edges];
  return Object.fromEntries(
    Object.entries(group).filter(([name]) => groupBy.includes(name) || !said.includes(name)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
function compareSchema(data: any, args: Arguments, expected: any[], context: string): void {
  const sort = (list: { connection: string; stream: string }[]) =>
    [...list].sort((a, b) => (`${a.connection}/${a.stream}` < `${b.connection}/${b.stream}` ? -1 : 1));
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
  const seen: any[] = [];
  if (args.stream === undefined) {
    for (const { connections } of data.connectors)
      for (const { connection_id: connection, streams, empty_streams = [] } of connections) {
        for (const { name, ...rest } of streams) seen.push({ connection, stream: name, ...rest });
        for (const name of empty_streams) seen.push({ connection, stream: name, records: 0 });
      }
  } else {
    for (const { stream, connections, fields, read_only = [], unused_fields = [] } of data.sources) {
      const told = fields.map((field: { name: string }) => field.name);
      for (const { connection_id: connection, records, first, last } of connections)
        seen.push({
          connection,
          stream,
          records,
          first,
          last,
          fields: [...told, ...read_only, ...unused_fields].sort(),
          unused: unused_fields,
        });
    }
  }
  // Alike connections are told together: a field is unused only where no visible record of any of them has it.
  const isUsed = (one: { connection: string; stream: string }, field: string) =>
    expected
      .find((other) => other.connection === one.connection && other.stream === one.stream)
      ?.used.has(field);
  for (const one of seen)
    same(
      (one.unused ?? []).filter((field: string) => isUsed(one, field)),
      [],
      context,
    );
  const told = ({ used: _, unused: __, ...rest }: Record<string, unknown>) => rest;
  same(sort(seen).map(told), sort(expected).map(told), context);
}

/** Equal, apart from absent members and from what floating point loses. */
function same(actual: unknown, expected: unknown, context: string): void {
  expect(settle(actual), context).toEqual(settle(expected));
}

function settle(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return Number((Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value).toPrecision(12));
  if (Array.isArray(value)) return value.map(settle);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, settle(inner)]),
  );
}
