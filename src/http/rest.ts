import { type Context, Hono } from 'hono';
import { AppError } from '../errors.ts';
import { ingestLines, readLines } from '../ingest/ingest-lines.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { escapeJson } from '../text/escape-json.ts';
import { aggregate } from '../tools/aggregate.ts';
import { fetch } from '../tools/fetch.ts';
import { queryRecords } from '../tools/query-records.ts';
import { schema } from '../tools/schema.ts';
import { search } from '../tools/search.ts';
import type { Tool } from '../tools/tool.ts';
import { mediaType } from './read-body.ts';
import type { RouteDeps } from './route-deps.ts';

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];
const LISTS = new Set(['fields', 'expand', 'streams', 'group_by']);
/** Free text, which may hold commas: each value is a parameter of its own. */
const REPEATED = new Set(['also']);
/** One name, or several by comma. */
const NAMES = new Set(['connection_id', 'stream']);
const NUMBERS = new Set(['limit', 'offset']);

/** The same reads over HTTP, by the same tools; and records in, for the owner. */
export function createRest({ runRead, store, getCaller, admission }: RouteDeps): Hono {
  const app = new Hono();
  const answer = async (c: Context, tool: Tool, more: Record<string, unknown> = {}) => {
    const caller = await getCaller(c);
    await admission.check(caller);
    const input = { ...readParameters(c), ...more };
    const answer = await runRead(tool, input, caller, { surface: 'rest', signal: c.req.raw.signal });
    if (answer.retryAfterSeconds !== undefined) c.header('retry-after', String(answer.retryAfterSeconds));
    return c.body(escapeJson(answer.text), answer.status as 200, { 'content-type': 'application/json' });
  };

  app.get('/schema', (c) => answer(c, schema));
  app.get('/streams', (c) => answer(c, schema));
  app.get('/streams/:stream', (c) => answer(c, schema, { stream: c.req.param('stream') }));
  app.get('/streams/:stream/records', (c) => answer(c, queryRecords, { stream: c.req.param('stream') }));
  app.get('/streams/:stream/records/:key', (c) => {
    const { connection_id, ...rest } = readParameters(c);
    // As they were sent: stream and key are written here as they are in an id.
    const [stream, , key] = new URL(c.req.url).pathname.split('/').slice(-3);
    const place = connection_id === undefined ? [] : [encodeURIComponent(String(connection_id))];
    return answer(c, fetch, { ...rest, id: [...place, stream, key].join('/') });
  });
  app.get('/streams/:stream/aggregate', (c) => answer(c, aggregate, { stream: c.req.param('stream') }));
  app.get('/search', (c) => answer(c, search));

  app.post('/ingest/:connection/:stream', async (c) => {
    const caller = await getCaller(c);
    if (caller.kind !== 'owner')
      throw new AppError('owner_token_required', 'Only the owner may add records.');
    if (!NDJSON.includes(mediaType(c)))
      throw new AppError('unsupported_media_type', 'The body must be application/x-ndjson.');
    const catalog = await loadCatalog(store.write);
    const stream = findStream(catalog, c.req.param('connection'), c.req.param('stream'));
    if (stream === undefined) throw new AppError('unknown_stream', 'There is no such connection or stream.');
    const body = c.req.raw.body ?? new Blob([]).stream();
    return c.json(await ingestLines(store.write, stream, catalog.plainZone, readLines(body)));
  });
  return app;
}

/** Query parameters as a tool takes them: lists by comma or repeated, filter and ranges as JSON, PDPP's old name for a connection. */
function readParameters(c: Context): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(c.req.query())) {
    if (name === 'connector_instance_id') parameters.connection_id = readNames(value);
    else if (name === 'filter')
      parameters.filter = parseObject(value, name, 'invalid_filter', '{"status":"open"}');
    else if (name === 'ranges')
      parameters.ranges = parseObject(value, name, 'invalid_argument', '{"may":"2026-05"}');
    else if (LISTS.has(name)) parameters[name] = value.split(',');
    else if (REPEATED.has(name)) parameters[name] = c.req.queries(name);
    else if (NAMES.has(name)) parameters[name] = readNames(value);
    else if (NUMBERS.has(name)) parameters[name] = Number(value);
    else parameters[name] = value;
  }
  return parameters;
}

function readNames(value: string): string | string[] {
  return value.includes(',') ? value.split(',') : value;
}

function parseObject(
  text: string,
  name: string,
  code: 'invalid_filter' | 'invalid_argument',
  example: string,
): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(code, `${name} must be a JSON object.`, {
      hint: `For example ${name}=${example}, URL-encoded.`,
    });
  }
}
