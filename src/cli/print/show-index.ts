import { z } from 'zod';
import { commandName } from '../run/how-started.ts';
import { showCount } from './format.ts';
import { table } from './table.ts';

const streamShape = z.object({
  name: z.string(),
  records: z.number().optional(),
  first: z.string().optional(),
  last: z.string().optional(),
});

/** The index in each of the forms that the server writes it in, the shorter the more there is. */
const indexShape = z.object({
  connectors: z.array(
    z.object({
      connections: z.array(
        z.union([
          z.string(),
          z.object({
            connection_id: z.string(),
            display_name: z.string().optional(),
            streams: z.array(streamShape).optional(),
            empty_streams: z.array(z.string()).optional(),
          }),
        ]),
      ),
      streams: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  ),
  more_connections: z.array(z.string()).optional(),
});

interface StreamLine extends z.infer<typeof streamShape> {
  readonly connection: string;
  readonly title: string;
}

function listStreams(data: unknown): StreamLine[] {
  return indexShape.parse(data).connectors.flatMap(({ connections, streams }) => {
    const shared = typeof streams === 'string' ? streams.split(' ') : (streams ?? []);
    return connections.flatMap((one) => {
      const {
        connection_id,
        display_name = '',
        streams: own = shared.map((name) => ({ name })),
        empty_streams: empty = [],
      } = typeof one === 'string' ? { connection_id: one } : one;
      return [...own, ...empty.map((name) => ({ name, records: 0 }))].map((stream) => ({
        connection: connection_id,
        title: display_name,
        ...stream,
      }));
    });
  });
}

/** The whole index, a line per stream. */
export async function showIndex(data: unknown): Promise<string> {
  const streams = listStreams(data);
  const more = indexShape.parse(data).more_connections ?? [];
  const rows = streams.map(({ connection, title, name, records, first, last }) => [
    connection,
    title,
    name,
    formatCount(records),
    first ?? '',
    last ?? '',
  ]);
  return [
    rows.length === 0
      ? 'Nothing may be read.'
      : await table([['CONNECTION', 'NAME', 'STREAM', 'RECORDS', 'FIRST', 'LAST'], ...rows]),
    ...(more.length === 0 ? [] : [`Not shown: ${more.join(', ')}. Ask for one with --connection ID.`]),
  ].join('\n');
}

const MAX_LINES = 10;

/** What may be read, in a few lines. */
export async function describeIndex(data: unknown): Promise<string> {
  const streams = listStreams(data);
  const connections = [...new Set(streams.map(({ connection }) => connection))];
  const records = streams.reduce((sum, stream) => sum + (stream.records ?? 0), 0);
  const lines = connections.slice(0, MAX_LINES).map((connection) => {
    const own = streams.filter((stream) => stream.connection === connection);
    return [`  ${connection}`, own.map((one) => `${one.name} ${formatCount(one.records)}`.trim()).join(', ')];
  });
  const left = connections.length - lines.length;
  return [
    `It may read ${formatCount(records)} records in ${streams.length} streams of ${connections.length} connections:`,
    await table(lines),
    ...(left > 0 ? [`  and ${left} more: ${commandName} schema`] : []),
  ].join('\n');
}

export function formatCount(records: number | undefined): string {
  return records === undefined ? '' : showCount(records);
}
