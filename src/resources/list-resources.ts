import { giveTurn } from '../limits/give-turn.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { escapeText } from '../text/escape-text.ts';
import { disclose, type GrantedRead, namedFields } from '../tools/granted-read.ts';
import { Budget } from '../tools/projector.ts';
import { idOf, titleOf } from '../tools/record-view.ts';

/** A record as a client offers it to a person who picks one. */
export interface RecordResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'text/markdown';
}

const PER_CONNECTION = 4;
const MOST_LISTED = 60;

/** The newest few records of each connection: a beginning for whoever picks; the rest is found by completion. */
export const listResources: GrantedRead<undefined, { resources: RecordResource[] }> = {
  name: 'query_records',
  async run(_, { reader, origin }) {
    const budget = new Budget();
    const shown: GrantedRecord[] = [];
    const resources: RecordResource[] = [];
    for (const record of await readNewest(reader)) {
      const resource = describe(record, reader.timeZone, origin);
      if (shown.length >= MOST_LISTED || !budget.take(resource)) break;
      shown.push(record);
      resources.push(resource);
    }
    const streams = [...new Set(shown.map((record) => record.stream))];
    return {
      body: { resources },
      disclosure: disclose(streams, namedFields(streams, undefined), shown.length),
    };
  },
};

function describe(record: Dated, timeZone: string, origin: string): RecordResource {
  const { stream } = record;
  const id = idOf(record);
  return {
    uri: `${origin}/r/${id}`,
    name: id,
    title: titleOf(record, timeZone),
    description: `${escapeText(stream.connection.display_name)}, ${stream.name}`,
    mimeType: 'text/markdown',
  };
}

type Dated = GrantedRecord & { readonly t: number | undefined };

/** A turn for each connection, so that where the list must end no connection is missing before others have many. */
async function readNewest(reader: GrantedReader): Promise<Dated[]> {
  // More connections than are listed need not be looked into: each is listed once before any is listed twice.
  const all = new Set(reader.streams.map((stream) => stream.connection.connection_id));
  const connections = [...all].slice(0, MOST_LISTED);
  const lists: Dated[][] = [];
  for (const id of connections) {
    const streams = reader.streams.filter((stream) => stream.connection.connection_id === id);
    lists.push(await readNewestOf(reader, streams));
  }
  return Array.from({ length: PER_CONNECTION }).flatMap((_, at) => lists.flatMap((list) => list[at] ?? []));
}

async function readNewestOf(reader: GrantedReader, streams: readonly GrantedStream[]): Promise<Dated[]> {
  const found: Dated[] = [];
  for (const stream of streams) {
    if (stream.timeField === undefined) continue;
    const { records } = await reader.page(stream, {
      conditions: [],
      sort: { field: stream.timeField, direction: 'desc' },
      limit: PER_CONNECTION,
    });
    for (const { value, ...record } of records)
      if (typeof value === 'number') found.push({ ...record, t: value });
    await giveTurn();
  }
  return found.sort((a, b) => (b.t as number) - (a.t as number)).slice(0, PER_CONNECTION);
}
