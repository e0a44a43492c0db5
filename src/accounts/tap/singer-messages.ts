import { z } from 'zod';
import { parseExactJson } from '../../import/read/read-json.ts';

const name = z.string().min(1).max(500);
const messageShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('SCHEMA'),
    stream: name,
    schema: z.record(z.string(), z.unknown()),
    key_properties: z.array(z.string()).nullish(),
    bookmark_properties: z.union([z.string(), z.array(z.string())]).nullish(),
  }),
  z.object({
    type: z.literal('RECORD'),
    stream: name,
    record: z.record(z.string(), z.unknown()),
    version: z.number().nullish(),
  }),
  z.object({ type: z.literal('STATE'), value: z.unknown() }),
  z.object({ type: z.literal('ACTIVATE_VERSION'), stream: name, version: z.number() }),
  z.object({ type: z.literal('BATCH') }),
]);

/** A message of the Singer specification. */
export type SingerMessage = z.infer<typeof messageShape>;
export type SchemaMessage = Extract<SingerMessage, { type: 'SCHEMA' }>;

/** Parses a line of a tap. Returns undefined if it is no message, such as a line of a log. */
export function parseMessage(line: string): SingerMessage | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  const parsed = parseExactJson(line);
  return 'value' in parsed ? messageShape.safeParse(parsed.value).data : undefined;
}
