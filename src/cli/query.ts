import { z } from 'zod';
import type { Answer } from '../client/mcp-client.ts';
import { type Command, getPositional, getText, jsonOption, plain, print } from './command.ts';
import { fitTable } from './print/fit-table.ts';
import { filterOptions, filterUsage, readFilter } from './where.ts';
import { getList, getNumber, given, serverOption, withServer } from './with-server.ts';

export const query: Command = {
  usage: `query STREAM [--connection ID] ${filterUsage} [--fields A,B] [--sort -FIELD] [--limit N] [--count] [--cursor C | --all] [--expand A,B] [--changes-since H] [--server NAME] [--json]`,
  options: {
    ...jsonOption,
    ...serverOption,
    ...filterOptions,
    connection: { type: 'string' },
    fields: { type: 'string' },
    sort: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
    all: { type: 'boolean' },
    count: { type: 'boolean' },
    expand: { type: 'string' },
    'changes-since': { type: 'string' },
  },
  async run(call) {
    const stream = getPositional(call, 0, 'STREAM');
    const limit = getNumber(call, 'limit');
    await withServer(call, async (tools) => {
      const args = given({
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
      print(call, { ...last, data }, showRows(data, getList(call, 'fields')));
      if (call.values.json !== true) console.error(plain(describeRest(data.length, first, last)));
    });
  },
};

const rowShape = z.looseObject({
  id: z.string(),
  record: z.record(z.string(), z.unknown()).optional(),
  removed: z.boolean().optional(),
  expanded: z.record(z.string(), z.looseObject({ total: z.number() })).optional(),
});

type Row = z.infer<typeof rowShape>;

function readRows(answer: Answer): Row[] {
  return z.array(rowShape).parse(answer.data);
}

function showRows(rows: readonly Row[], fields: readonly string[] | undefined): string {
  if (rows.length === 0) return 'No records.';
  const names = fields ?? keysOf(rows.map(({ record = {} }) => record));
  const relations = keysOf(rows.map(({ expanded = {} }) => expanded));
  return fitTable(
    [...[...names, ...relations].map((name) => name.toUpperCase()), 'ID'],
    rows.map(({ id, record = {}, removed, expanded = {} }) => [
      ...names.map((name, index) => (removed && index === 0 ? '(removed)' : showValue(record[name]))),
      ...relations.map((name) => `${expanded[name]?.total ?? 0} related`),
      id,
    ]),
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

function describeRest(shown: number, first: Answer, last: Answer): string {
  const total = typeof first.count === 'number' ? ` of ${first.count.toLocaleString('en')}` : '';
  const more =
    typeof last.next_cursor === 'string'
      ? `, and there are more: --all, or --cursor ${last.next_cursor}`
      : '';
  const next =
    typeof last.next_changes_since === 'string'
      ? `. Next time: --changes-since ${last.next_changes_since}`
      : '';
  return `${shown.toLocaleString('en')}${total} records${more}${next}`;
}
