import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Match } from '../reader/granted-record.ts';
import { disclose, namedFields, type ReadContext } from '../reads/granted-read.ts';
import { getField } from '../schema-index/find-field.ts';
import { cutText } from '../text/cut-text.ts';
import { hint, toolCall } from '../text/hint.ts';
import { type Document, findPassage, makeDocument, makeFieldDocument } from './document.ts';
import { Budget, makeMeta, RESULT_BYTES, RESULT_TOKENS, readClock } from './envelope.ts';
import { idOf, parseRecordId, showTimes, timeOf, titleOf } from './record-view.ts';
import { expandRecord, findRelations } from './relations.ts';
import { checkFields, resolveStream } from './resolve-stream.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  id: z.string().min(1).describe('id or url from search or query_records.'),
  connection_id: z.string().optional(),
  fields: z.array(z.string()).optional(),
  field: z.string().optional().describe('Only this field, raw.'),
  offset: z.int().optional().describe('metadata.next_offset continues; -2000 reads the end.'),
  query: z.string().optional().describe('Start at these words.'),
  expand: z.array(z.string()).optional(),
});

/** Shorter prefixes of a key are probably a mistake. */
const MIN_PREFIX_CHARACTERS = 4;

type FetchInput = z.infer<typeof input>;

export const fetch = defineTool({
  name: 'fetch',
  title: 'Fetch one record',
  description: 'Read one record as a document, in pages if long.',
  input,
  async run(args, context) {
    const clock = readClock(undefined, context);
    const match = showTimes(await findRecord(args, context), clock, context);
    const { stream } = match;
    checkFields(args.fields, [stream]);
    const relations = findRelations(stream, args.expand ?? [], context.reader);
    const escaped = { characters: 0 };
    if (args.field !== undefined) getField(stream.fields, args.field, 'field');
    const document =
      args.field === undefined
        ? makeDocument(match, args.fields, escaped)
        : makeFieldDocument(match, args.field, escaped);
    const passage = args.query === undefined ? undefined : await findPassage(document, args.query);
    const offset = passage ?? (await readOffset(args.offset ?? 0, document));
    const id = idOf(match);
    const head = { id, title: titleOf(match, clock.timeZone), url: `${context.origin}/r/${id}` };
    const metadata = {
      connection_id: stream.connection.connection_id,
      connector_key: stream.connection.connector_key,
      stream: stream.name,
      time: timeOf(match, clock.timeZone),
      field: args.field,
      chars_total: document.length,
      offset,
      query_found: args.query === undefined ? undefined : passage !== undefined,
      ...makeMeta(context, { escaped, clock }),
    };
    const budget = new Budget();
    budget.takeEnvelope({ ...head, meta: metadata, next_offset: 1_000_000_000, complete: false });
    // Related records may take a third of the budget.
    const third = new Budget(Math.floor(RESULT_TOKENS / 3), Math.floor(RESULT_BYTES / 3));
    const expanded =
      relations.length === 0
        ? undefined
        : await expandRecord(match, { relations, clock, budget: third, escaped }, context);
    if (expanded !== undefined) budget.take({ expanded: expanded.shown });
    // One character more than can fit shows whether the text continues.
    const text = fitText(await document.slice(offset, offset + RESULT_BYTES + 1), budget);
    const end = offset + text.length;
    const isComplete = end >= document.length;
    const shown = args.field === undefined ? args.fields : [args.field];
    return {
      body: {
        id,
        title: head.title,
        text,
        url: head.url,
        metadata: {
          ...metadata,
          complete: isComplete,
          next_offset: isComplete ? undefined : end,
          expanded: expanded?.shown,
        },
      },
      disclosure: disclose([stream], namedFields([stream], shown), 1, expanded?.related),
    };
  },
});

/** Returns the offset from the start. A negative offset counts from the end, and never splits a character. */
async function readOffset(offset: number, document: Document): Promise<number> {
  if (offset > document.length) {
    throw new AppError('invalid_argument', 'offset is past the end of the text.', {
      chars_total: document.length,
    });
  }
  if (offset >= 0) return offset;
  const start = Math.max(0, document.length + offset);
  const first = await document.slice(start, start + 1);
  return /^[\udc00-\udfff]/.test(first) ? Math.max(0, start - 1) : start;
}

/** Finds the record by its key, else by a unique prefix of it. Absent and not granted look the same. */
async function findRecord(args: FetchInput, { reader, origin }: ReadContext): Promise<Match> {
  const id = parseRecordId(args.id, origin);
  const named = args.connection_id === '*' ? undefined : args.connection_id;
  const connectionId = id.connectionId ?? named;
  const stream =
    connectionId === undefined
      ? resolveStream(reader, id.stream, undefined)
      : reader.streams.find((one) => one.name === id.stream && one.connection.connection_id === connectionId);
  if (stream !== undefined && (named === undefined || named === connectionId)) {
    for (const key of id.keys) {
      const record = await reader.find(stream, key);
      if (record !== undefined) return record;
    }
    const [key] = id.keys as [string];
    const record = key.length < MIN_PREFIX_CHARACTERS ? undefined : await reader.find(stream, key, 'prefix');
    if (record !== undefined) return record;
  }
  throw new AppError('not_found', 'There is no such record.', {
    hint: hint`Find ids with ${toolCall('search')} or ${toolCall('query_records')}.`,
  });
}

/** Returns as much of the text as fits. Found by bisection: the cost per character varies a hundredfold. */
function fitText(text: string, budget: Budget): string {
  const fits = (piece: string) => budget.fits(JSON.stringify(piece));
  if (text.length <= RESULT_BYTES && fits(text)) return text;
  let low = 0;
  let high = Math.min(text.length, RESULT_BYTES);
  while (high - low > 64) {
    const middle = (low + high) >> 1;
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle;
  }
  return cutText(text, Math.max(low, 1));
}
