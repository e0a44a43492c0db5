import { post } from '../../support/mcp-post.ts';
import type { ToolResult } from '../../support/world.ts';
import type { Send } from './start-processes.ts';

/** Calls a tool. Fails if the server refused the request. */
export async function callTool(
  request: Send,
  token: string,
  name: string,
  args: object = {},
): Promise<ToolResult> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { status, messages, text } = await post({ request: request as never }, token, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return messages[0].result as ToolResult;
}

/** One request after the other that uses each tool, filters, sorts, pages, suggestions and refusals. */
export const toolRequests: readonly (readonly [name: string, args: object])[] = [
  ['schema', {}],
  ['schema', { stream: 'entries' }],
  ['schema', { stream: 'entry' }],
  ['query_records', { stream: 'entries', limit: 5 }],
  ['query_records', { stream: 'entries', limit: 5, sort: 'stars', fields: ['title', 'stars'] }],
  ['query_records', { stream: 'entries', filter: { stars: { gte: 40 } }, limit: 3 }],
  ['query_records', { stream: 'entries', since: '2026-01-02', until: '2026-01-03' }],
  ['query_records', { stream: 'entries', filter: { nothing: 1 } }],
  ['query_records', { stream: 'nothing' }],
  ['aggregate', { stream: 'entries', metric: 'count' }],
  ['aggregate', { stream: 'entries', metric: 'sum', field: 'stars' }],
  ['aggregate', { stream: 'entries', metric: 'count', group_by: 'created_at', granularity: 'month' }],
  ['aggregate', { stream: 'entries', metric: 'max', field: 'stars', group_by: 'title', limit: 3 }],
  ['search', { query: 'batch number' }],
  ['search', { query: '"number 7 of batch"' }],
  ['search', { query: 'nubmer' }],
  ['search', { query: 'nothing of this kind' }],
  ['fetch', { id: 'mine/entries/b1-1' }],
  ['fetch', { id: 'mine/entries/unknown' }],
];

/** Ingests lines into the diary. */
export function ingest(request: Send, token: string, lines: readonly string[]): Promise<Response> {
  return request('/v1/ingest/mine/entries', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
}
