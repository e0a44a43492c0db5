import { type Context, Hono } from 'hono';
import { AppError } from '../errors.ts';
import { type IngestReport, ingestLines, readLines } from '../ingest/ingest-lines.ts';
import { findStream, loadCatalog } from '../schema-index/catalog.ts';
import { escapeJson } from '../text/json.ts';
import { aggregate } from '../tools/aggregate.ts';
import { fetch } from '../tools/fetch.ts';
import { queryRecords } from '../tools/query-records.ts';
import { schema } from '../tools/schema.ts';
import { search } from '../tools/search.ts';
import type { Tool } from '../tools/tool.ts';
import { Unauthorized } from './guard.ts';
import { describeRest, type ParameterFormat, type RestRead } from './openapi.ts';
import { mediaType } from './read-body.ts';
import type { RouteDeps } from './route-deps.ts';

const reads: readonly RestRead[] = [
  { path: '/schema', operation: 'getSchema', tool: schema },
  { path: '/streams', operation: 'listStreams', tool: schema },
  { path: '/streams/{stream}', operation: 'getStream', tool: schema },
  { path: '/streams/{stream}/records', operation: 'listRecords', tool: queryRecords },
  { path: '/streams/{stream}/records/{key}', operation: 'getRecord', tool: fetch },
  { path: '/streams/{stream}/aggregate', operation: 'aggregateRecords', tool: aggregate },
  { path: '/search', operation: 'searchRecords', tool: search },
];

/** Query parameters that are not plain text. */
const formats: ReadonlyMap<string, ParameterFormat> = new Map([
  ['fields', 'list'],
  ['expand', 'list'],
  ['streams', 'list'],
  ['group_by', 'list'],
  // Free text may hold commas, so each value is a parameter of its own.
  ['also', 'repeated'],
  ['connection_id', 'names'],
  ['stream', 'names'],
  ['limit', 'number'],
  ['offset', 'number'],
  ['filter', 'json'],
  ['ranges', 'json'],
]);

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

/** Serves the tools over REST, and accepts records from the owner. */
export function createRest({ runRead, store, getCaller, admission, publicUrl }: RouteDeps): Hono {
  const app = new Hono();
  for (const { path, tool } of reads) {
    app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const caller = await getCaller(c);
      await admission.check(caller);
      const input = readInput(c, tool);
      const answer = await runRead(tool, input, caller, { surface: 'rest', signal: c.req.raw.signal });
      if (answer.retryAfterSeconds !== undefined) c.header('retry-after', String(answer.retryAfterSeconds));
      return c.body(escapeJson(answer.text), answer.status as 200, { 'content-type': 'application/json' });
    });
  }

  const document = JSON.stringify(describeRest(publicUrl, reads, formats));
  app.get('/openapi.json', (c) => c.body(document, 200, { 'content-type': 'application/json' }));

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
    // An upload can last longer than its token.
    const beforeBatch = async ({ new: added, changed, same, deleted }: IngestReport) => {
      const present = await getCaller(c).catch((error: unknown) => {
        if (!(error instanceof Unauthorized)) throw error;
      });
      if (present?.kind !== 'owner')
        throw new Unauthorized({ stored: { new: added, changed, same, deleted } });
    };
    const lines = readLines(body);
    return c.json(await ingestLines(store.write, stream, catalog.plainZone, lines, { beforeBatch }));
  });
  return app;
}

/** Returns the arguments for a tool: query parameters, and the parameters in the path. */
function readInput(c: Context, tool: Tool): Record<string, unknown> {
  const parameters = Object.fromEntries(
    Object.entries(c.req.query()).map(([sent, value]) => {
      // PDPP's old name for a connection.
      const name = sent === 'connector_instance_id' ? 'connection_id' : sent;
      return [name, parseParameter(c, name, value)];
    }),
  );
  if (tool !== fetch) return { ...parameters, ...c.req.param() };
  // The path as it was sent: ids have the same escapes.
  const [stream, , key] = new URL(c.req.url).pathname.split('/').slice(-3);
  const { connection_id } = parameters;
  const connection = connection_id === undefined ? [] : [encodeURIComponent(String(connection_id))];
  return { ...parameters, id: [...connection, stream, key].join('/') };
}

function parseParameter(c: Context, name: string, value: string): unknown {
  switch (formats.get(name)) {
    case 'list':
      return value.split(',');
    case 'repeated':
      return c.req.queries(name);
    case 'names':
      return value.includes(',') ? value.split(',') : value;
    case 'number':
      return Number(value);
    case 'json':
      return parseObject(value, name);
    default:
      return value;
  }
}

function parseObject(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const [code, example] =
      name === 'filter'
        ? (['invalid_filter', '{"status":"open"}'] as const)
        : (['invalid_argument', '{"may":"2026-05"}'] as const);
    throw new AppError(code, `${name} must be a JSON object.`, {
      hint: `For example ${name}=${example}, URL-encoded.`,
    });
  }
}
