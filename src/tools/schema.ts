import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, namedFields } from '../reads/granted-read.ts';
import { escapeValue } from '../text/escape-text.ts';
import { CALL, hint, toolCall } from '../text/hint.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { formatOffset, toLocal } from '../time/instant.ts';
import { Budget, makeMeta } from './envelope.ts';
import { resolveStream, selectConnections, streamsNamed } from './resolve-stream.ts';
import { viewIndex } from './schema/schema-index-view.ts';
import { viewStreams } from './schema/schema-stream-view.ts';
import { defineTool, namesInput } from './tool.ts';

const input = z.object({
  stream: namesInput.optional(),
  connection_id: namesInput.optional(),
  detail: z
    .enum(['compact', 'full'])
    .optional()
    .describe('full: JSON Schema of one stream in one connection.'),
});

export const schema = defineTool({
  name: 'schema',
  title: 'Schema',
  description:
    'Start here: every connection and stream you may read. With stream: its fields, for other calls.',
  input,
  async run(args, context) {
    const { reader } = context;
    const isIndex = args.stream === undefined;
    const budget = new Budget();
    const head = { now: localNow(context.now, reader.timeZone), time_zone: reader.timeZone };
    const meta = makeMeta(context, { isText: !isIndex });
    budget.takeEnvelope({ data: head, meta });
    const streams = selectStreams(args, reader);
    const makeView = async () => {
      const view = await (isIndex ? viewIndex : viewStreams)(streams, context, budget);
      const [only] = streams;
      return args.detail !== 'full' || only === undefined
        ? view
        : { ...view, ...fitJsonSchema(only, budget.take(view) ? budget : new Budget(0, 0)) };
    };
    // At most one stream and one connection: a caller that names every subset must not fill the cache.
    const isCached = [args.stream, args.connection_id].every((names) => typeof names !== 'object');
    const { tokens, bytes } = budget.left;
    const view = isCached
      ? await reader.cached(
          'schema',
          streams,
          [isIndex ? 'index' : (args.detail ?? 'compact'), `${tokens} ${bytes}`],
          makeView,
        )
      : await makeView();
    return {
      body: { data: { ...head, ...view }, meta },
      // The fields of a stream come with examples of their values.
      disclosure: isIndex ? disclose([], [], 0) : disclose(streams, namedFields(streams, undefined), 0),
    };
  },
});

function selectStreams(args: z.infer<typeof input>, reader: GrantedReader): readonly GrantedStream[] {
  const names = [args.stream ?? []].flat();
  const [name, ...more] = names;
  if (args.detail === 'full') {
    if (name !== undefined && more.length === 0)
      return [resolveStream(reader, name, args.connection_id === '*' ? undefined : args.connection_id)];
    throw new AppError('invalid_argument', 'detail "full" needs one stream.', {
      hint: hint`${CALL} ${toolCall('schema', { stream: null, detail: 'full' })}.`,
    });
  }
  const named =
    name === undefined ? reader.streams : [...new Set(names)].flatMap((one) => streamsNamed(reader, one));
  return selectConnections(named, args.connection_id);
}

/** Returns the JSON Schema of the granted fields that fit, and the names of the others. */
function fitJsonSchema(stream: GrantedStream, { left }: Budget) {
  const budget = new Budget(left.tokens - 700, left.bytes - 2_000);
  const namesBudget = new Budget(500, 1_500);
  const properties: Record<string, unknown> = {};
  const omitted: string[] = [];
  for (const field of stream.fields.values()) {
    const schema = escapeValue(field.schema);
    // The name occurs a second time if the field is required.
    if (budget.take({ [field.name]: schema, required: field.name })) properties[field.name] = schema;
    else omitted.push(field.name);
  }
  const required = Object.keys(properties).filter((name) => stream.fields.get(name)?.required === true);
  return {
    json_schema: { type: 'object', properties, required },
    ...(omitted.length === 0
      ? {}
      : {
          json_schema_left_out: omitted.filter((name) => namesBudget.take(name)),
          json_schema_left_out_total: omitted.length,
        }),
  };
}

function localNow(now: Date, timeZone: string): string {
  const local = toLocal(now.getTime(), timeZone);
  const offset = Math.round((local - now.getTime()) / MINUTE_MS) * MINUTE_MS;
  return `${new Date(local).toISOString().slice(0, 19)}${formatOffset(offset)}`;
}
