import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Match } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, namedFields, type ReadContext } from '../reads/granted-read.ts';
import { getField } from '../schema-index/find-field.ts';
import { cutText } from '../text/cut-text.ts';
import { hint, toolCall } from '../text/hint.ts';
import { type Document, makeDocument, makeFieldDocument } from './document.ts';
import {
  Budget,
  makeMeta,
  measure,
  RESULT_BYTES,
  RESULT_TOKENS,
  readClock,
  showTimes,
  takeEnvelope,
} from './envelope.ts';
import { expandRecord, findRelations } from './expand.ts';
import { findPassage } from './find-passage.ts';
import { idOf, parseRecordId, timeOf, titleOf } from './record-view.ts';
import { checkFields, resolveStream } from './resolve-stream.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  id: z.string().min(1).describe('id or url from search or query_records.'),
  connection_id: z.string().optional(),
  fields: z.array(z.string()).optional(),
  field: z.string().optional().describe('Only this field, raw.'),
  offset: z.int().optional().describe('Any; metadata.next_offset goes on, -2000 is the end.'),
  query: z.string().optional().describe('Begin at these words.'),
  expand: z.array(z.string()).optional(),
});

/** Shorter beginnings of a key are too likely to be a slip. */
const SHORTEST_PREFIX = 4;

type FetchInput = z.infer<typeof input>;

export const fetch = defineTool({
  name: 'fetch',
  title: 'Fetch one record',
  description: 'Read one record as a document. Long ones come in pages.',
  input,
  async run(args, context) {
    const clock = readClock(undefined, context);
    const match = showTimes(await findRecord(args, context), clock, context);
    checkFields(args.fields, [match.stream]);
    const relations = findRelations(match.stream, args.expand ?? [], context.reader);
    const shown = args.field === undefined ? args.fields : [args.field];
    const escaped = { characters: 0 };
    if (args.field !== undefined) getField(match.stream.fields, args.field, 'field');
    const document =
      args.field === undefined
        ? makeDocument(match, args.fields, escaped)
        : makeFieldDocument(match, args.field, escaped);
    const passage = args.query === undefined ? undefined : await findPassage(document, args.query);
    const offset = passage ?? (await readOffset(args.offset ?? 0, document));
    if (offset > document.length) {
      throw new AppError('invalid_argument', 'offset is past the end of the text.', {
        chars_total: document.length,
      });
    }
    const id = idOf(match);
    const title = titleOf(match, clock.timeZone);
    const url = `${context.origin}/r/${id}`;
    const time = timeOf(match, clock.timeZone);
    const metadata = {
      connection_id: match.stream.connection.connection_id,
      connector_key: match.stream.connection.connector_key,
      stream: match.stream.name,
      ...(time === undefined ? {} : { time }),
      ...(args.field === undefined ? {} : { field: args.field }),
      chars_total: document.length,
      offset,
      ...(args.query === undefined ? {} : { query_found: passage !== undefined }),
      ...makeMeta(context, { escaped, clock }),
    };
    const budget = new Budget();
    takeEnvelope(budget, { id, title, url, meta: metadata, next_offset: 1_000_000_000, complete: false });
    // Related records may take a third of the room; what they are part of comes first.
    const room = new Budget(Math.floor(RESULT_TOKENS / 3), Math.floor(RESULT_BYTES / 3));
    const expanded =
      relations.length === 0
        ? undefined
        : await expandRecord(match, { relations, clock, budget: room, escaped }, context);
    if (expanded !== undefined) budget.take({ expanded: expanded.shown });
    // One character more than can fit tells whether the text goes on.
    const text = fitText(await document.slice(offset, offset + RESULT_BYTES + 1), budget);
    const end = offset + text.length;
    return {
      body: {
        id,
        title,
        text,
        url,
        metadata: {
          ...metadata,
          complete: end >= document.length,
          ...(end < document.length ? { next_offset: end } : {}),
          ...(expanded === undefined ? {} : { expanded: expanded.shown }),
        },
      },
      disclosure: disclose([match.stream], namedFields([match.stream], shown), 1, expanded?.related),
    };
  },
});

/** From the end where it is negative, but never inside a character. */
async function readOffset(offset: number, document: Document): Promise<number> {
  if (offset >= 0) return offset;
  const start = Math.max(0, document.length + offset);
  const first = await document.slice(start, start + 1);
  return /^[\udc00-\udfff]/.test(first) ? Math.max(0, start - 1) : start;
}

/** Absent and not granted look the same: that a record exists is itself private. */
async function findRecord(args: FetchInput, context: ReadContext): Promise<Match> {
  const { reader, origin } = context;
  const id = parseRecordId(args.id, origin);
  const named = args.connection_id === '*' ? undefined : args.connection_id;
  const connectionId = id.connectionId ?? named;
  const stream =
    connectionId === undefined
      ? resolveStream(reader, id.stream, undefined)
      : reader.streams.find((one) => one.name === id.stream && one.connection.connection_id === connectionId);
  const agrees = named === undefined || named === connectionId;
  const record = stream !== undefined && agrees ? await findByKey(stream, id.keys, context) : undefined;
  if (record !== undefined) return record;
  throw new AppError('not_found', 'There is no such record.', {
    hint: hint`Find ids with ${toolCall('search')} or ${toolCall('query_records')}.`,
  });
}

async function findByKey(
  stream: GrantedStream,
  keys: readonly string[],
  context: ReadContext,
): Promise<Match | undefined> {
  for (const key of keys) {
    const record = await context.reader.find(stream, key);
    if (record !== undefined) return record;
  }
  const [key] = keys as [string];
  return key.length < SHORTEST_PREFIX ? undefined : context.reader.find(stream, key, 'prefix');
}

/** As much of the text as fits, found by halving: what a character costs differs a hundredfold. */
function fitText(text: string, budget: Budget): string {
  const fitsWhole = (piece: string) => {
    const cost = measure(JSON.stringify(piece));
    return cost.tokens <= budget.left.tokens && cost.bytes <= budget.left.bytes;
  };
  if (text.length <= RESULT_BYTES && fitsWhole(text)) return text;
  let low = 0;
  let high = Math.min(text.length, RESULT_BYTES);
  while (high - low > 64) {
    const middle = (low + high) >> 1;
    if (fitsWhole(text.slice(0, middle))) low = middle;
    else high = middle;
  }
  return cutText(text, Math.max(low, 1));
}
