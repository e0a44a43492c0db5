import { z } from 'zod';
import type { Answer } from '../client/mcp-client.ts';
import { formatAmount, formatCount, plain, print, repeatCall } from './print/print.ts';
import { fitTable } from './print/table.ts';
import { type Call, getList, getNumber, getPositional, getText } from './run/call.ts';
import { readFilter } from './run/where.ts';
import { omitUndefined, withServer } from './run/with-server.ts';

export async function query(call: Call): Promise<void> {
  const stream = getPositional(call, 0, 'STREAM');
  const limit = getNumber(call, 'limit');
  await withServer(call, async (tools) => {
    const args = omitUndefined({
      stream,
      connection_id: getText(call, 'connection'),
      filter: await readFilter(call, tools, [stream]),
      fields: getList(call, 'fields'),
      sort: getText(call, 'sort'),
      limit,
      cursor: getText(call, 'cursor'),
      count: call.values.count === true ? 'exact' : undefined,
      expand: getList(call, 'expand'),
      changes_since: getText(call, 'changes-since'),
    });
    const first = await tools('query_records', args);
    let last = first;
    const data = readRows(first);
    while (call.values.all === true && typeof last.next_cursor === 'string') {
      last = await tools('query_records', { ...args, cursor: last.next_cursor });
      data.push(...readRows(last));
    }
    print(call, { ...last, data }, await showRows(data, getList(call, 'fields')));
    if (call.values.json !== true) console.error(plain(describeRest(call, data.length, first, last)));
  });
}

const rowShape = z.looseObject({
  id: z.string().default(''),
  record: z.record(z.string(), z.unknown()).optional(),
  removed: z.boolean().optional(),
  expanded: z.record(z.string(), z.looseObject({ total: z.number().optional() }).nullable()).optional(),
});

type Row = z.infer<typeof rowShape>;

function readRows(answer: Answer): Row[] {
  return z.array(rowShape).parse(answer.data);
}

async function showRows(rows: readonly Row[], fields: readonly string[] | undefined): Promise<string> {
  if (rows.length === 0) return 'No records.';
  const names =
    fields ?? keysOf(rows.map(({ record = {} }) => record)).filter((name) => !repeatsId(rows, name));
  const relations = keysOf(rows.map(({ expanded = {} }) => expanded));
  return fitTable(
    [...[...names, ...relations].map((name) => name.toUpperCase()), 'ID'],
    rows.map(({ id, record = {}, removed, expanded = {} }) => [
      ...names.map((name, index) => (removed && index === 0 ? '(removed)' : showValue(record[name]))),
      ...relations.map((name) => `${countRelated(expanded[name])} related`),
      id,
    ]),
  );
}

/** A list has a total. A reference to a single record is an object or null. */
function countRelated(related: { total?: number | undefined } | null | undefined): number {
  return related?.total ?? (related ? 1 : 0);
}

/** Returns whether a field repeats the key in the id, which is printed anyway. */
function repeatsId(rows: readonly Row[], name: string): boolean {
  const existing = rows.filter(({ removed }) => removed !== true);
  return (
    existing.length > 0 &&
    existing.every(({ id, record = {} }) => {
      const key = id.slice(id.lastIndexOf('/') + 1);
      const value = record[name];
      return ['string', 'number'].includes(typeof value) && encodeURIComponent(String(value)) === key;
    })
  );
}

function keysOf(objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap((one) => Object.keys(one)))];
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes how many records there are, and the command for the next page on a line that can be pasted. */
function describeRest(call: Call, shown: number, first: Answer, last: Answer): string {
  const total = typeof first.count === 'number' ? ` of ${formatCount(first.count)}` : '';
  const more =
    typeof last.next_cursor === 'string'
      ? `. Next page (or add --all):\n${repeatCall('query', call, { cursor: last.next_cursor })}`
      : '';
  const next =
    typeof last.next_changes_since === 'string'
      ? `\nTo see later changes: ${repeatCall('query', call, { 'changes-since': last.next_changes_since, cursor: undefined })}`
      : '';
  return `${total === '' ? formatAmount(shown, 'record') : `${formatCount(shown)}${total} records`}${more}${next}`;
}
