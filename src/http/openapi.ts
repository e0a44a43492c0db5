import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import type { Tool } from '../tools/tool.ts';
import { version } from '../version.ts';

type JsonObject = Record<string, unknown>;

/** A read over REST: its path below `/v1`, with parameters in braces, and the tool that answers it. */
export interface RestRead {
  readonly path: string;
  readonly operation: string;
  readonly tool: Tool;
}

/** The format of a query parameter that is not plain text. */
export type ParameterFormat = 'list' | 'repeated' | 'names' | 'number' | 'json';

const text = z.string();
const count = z.int();
const values = z.record(text, z.unknown());

const meta = z.object({
  request_id: text,
  notice: text.optional(),
  warnings: z.array(text).optional(),
  warnings_mean: z.record(text, text).optional(),
  time_zone: text.optional(),
  times_understood_as: values.optional(),
  names_understood_as: values.optional(),
  escaped_characters: count.optional().describe('Invisible characters that were written out.'),
});

const source = z.object({
  connection_id: text.optional(),
  connection_ids: z.array(text).optional(),
  connector_key: text,
  stream: text,
});

const paging = {
  has_more: z.boolean(),
  next_cursor: text.optional().describe('The value of `cursor` for the next page.'),
};

/** The shape of each successful answer, by the name of its tool. */
const answers: Record<string, z.ZodObject> = {
  schema: z.object({
    data: z.object({
      now: text.optional(),
      time_zone: text.optional(),
      legend: text.optional(),
      connectors: z.array(values).optional(),
      sources: z.array(values).optional(),
      types: values.optional(),
      json_schema: values.optional(),
    }),
    meta,
  }),
  query_records: z.object({
    data: z.array(
      z.object({
        id: text,
        record: values.optional(),
        expanded: values.optional(),
        cut: values.optional().describe('Fields that were shortened. `GET` the record to read them whole.'),
        removed: z.literal(true).optional().describe('With `changes_since`: no longer visible.'),
      }),
    ),
    labels: values.optional(),
    source,
    ...paging,
    next_changes_since: text.optional(),
    count: count.optional(),
    meta,
  }),
  aggregate: z.object({
    data: z.object({
      metric: text,
      field: text.optional(),
      value: z.union([z.number(), text, z.null()]).optional(),
      total: z.union([z.number(), z.null()]).optional(),
      records: count.optional(),
      group_by: z.array(text).optional(),
      interval: text.optional(),
      ranges: z.array(values).optional(),
      sort: text.optional(),
      groups: z.array(values).optional(),
      other: values.optional().describe('Groups that are not listed.'),
    }),
    source,
    meta,
  }),
  search: z.object({
    results: z.array(
      z.object({
        id: text,
        title: text,
        text: text.optional(),
        url: text,
        time: text.optional(),
        stream: text.optional(),
        connection_id: text.optional(),
        status: text.optional(),
        text_chars: count.optional(),
        who: values.optional(),
      }),
    ),
    source_mix: z
      .array(z.object({ connection_id: text, connector_key: text, display_name: text, hits: count }))
      .optional(),
    searched: values.optional(),
    ...paging,
    meta,
  }),
  fetch: z.object({
    id: text,
    title: text,
    text,
    url: text,
    metadata: values.describe('`next_offset` leads to the next page of a long record.'),
  }),
};

const ingestReport = z.object({
  lines: count,
  new: count,
  changed: count,
  same: count,
  deleted: count,
  refused: count,
  refusals: z.array(z.object({ line: count, reason: text })),
});

const refusal = z.object({
  error: z.looseObject({
    code: z.enum(Object.keys(errorCodes)),
    message: text,
    hint: text.optional(),
    request_id: text.optional(),
  }),
});

/** Returns the OpenAPI 3.1 document of the REST API. It contains nothing about the owner's data. */
export function describeRest(
  publicUrl: string,
  reads: readonly RestRead[],
  formats: ReadonlyMap<string, ParameterFormat>,
): JsonObject {
  const readPaths = reads.map((read) => [read.path, { get: describeRead(read, formats) }]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'pdpp',
      version,
      description:
        "Read-only access to a person's own data, limited to what they approved. The MCP endpoint `/mcp` has the same tools.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/v1` }],
    security: [{ token: [] }],
    paths: {
      ...Object.fromEntries(readPaths),
      '/ingest/{connection}/{stream}': { post: describeIngest() },
      '/openapi.json': {
        get: {
          operationId: 'getOpenApi',
          summary: 'This document',
          security: [],
          responses: { 200: respond('The OpenAPI document.', { type: 'object' }) },
        },
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token of an app, or of the owner.' },
      },
      schemas: listSchemas(),
    },
  };
}

function describeRead({ path, operation, tool }: RestRead, formats: ReadonlyMap<string, ParameterFormat>) {
  const { properties, required = [] } = tool.inputSchema as {
    properties: Record<string, JsonObject>;
    required?: string[];
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // The path of a record is its id.
  const inQuery = Object.entries(properties).filter(([name]) => !inPath.includes(name) && name !== 'id');
  return {
    operationId: operation,
    summary: tool.title,
    description: tool.description,
    parameters: [
      ...inPath.map(describePathParameter),
      ...inQuery.map(([name, schema]) =>
        describeParameter(name, schema, required.includes(name), formats.get(name)),
      ),
    ],
    responses: { 200: respond('The answer.', refer(tool.name)), default: REFUSED },
  };
}

function describePathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function describeParameter(
  name: string,
  { description, ...schema }: JsonObject,
  required: boolean,
  format: ParameterFormat | undefined,
): JsonObject {
  const parameter = { name, in: 'query', required, ...(description === undefined ? {} : { description }) };
  if (format === 'json') return { ...parameter, content: { 'application/json': { schema } } };
  if (format === undefined || format === 'number') return { ...parameter, schema };
  const list = { type: 'array', items: { type: 'string' } };
  return { ...parameter, style: 'form', explode: format === 'repeated', schema: list };
}

function describeIngest(): JsonObject {
  return {
    operationId: 'addRecords',
    summary: 'Add records',
    description: 'Takes records as NDJSON. Needs a token of the owner.',
    parameters: ['connection', 'stream'].map(describePathParameter),
    requestBody: { required: true, content: { 'application/x-ndjson': { schema: { type: 'string' } } } },
    responses: { 200: respond('What was stored and what was refused.', refer('ingest')), default: REFUSED },
  };
}

function refer(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function respond(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

const REFUSED = respond('The request was refused. `error.code` says why.', refer('refusal'));

function listSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  const named = { meta, source, ...answers, ingest: ingestReport, refusal };
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}
