import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedRecord, Match } from '../../reader/granted-record.ts';
import { disclose, type GrantedRead, namedFields } from '../../reads/granted-read.ts';
import { escapeText } from '../../text/escape-text.ts';
import { Budget } from '../../tools/projector.ts';
import { idOf, titleOf } from '../../tools/record-view.ts';
import { PICKING } from '../activity/tell-read.ts';

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
      // Some clients ask for it at every start, of themselves: the owner is told that nothing was read for a question.
      disclosure: { ...disclose(streams, namedFields(streams, undefined), shown.length), way: PICKING },
    };
  },
};

function describe(record: Match, timeZone: string, origin: string): RecordResource {
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

/** A turn for each connection, so that where the list must end no connection is missing before others have many. */
async function readNewest(reader: GrantedReader): Promise<Match[]> {
  // More connections than are listed need not be looked into: each is listed once before any is listed twice.
  const all = new Set(reader.streams.map((stream) => stream.connection.connection_id));
  const connections = [...all].slice(0, MOST_LISTED);
  const streams = reader.streams.filter((stream) => connections.includes(stream.connection.connection_id));
  return reader.newest(streams, PER_CONNECTION, (found) => {
    const lists = connections.map((id) =>
      found
        .filter((one) => one.stream.connection.connection_id === id)
        .sort((a, b) => b.t - a.t)
        .slice(0, PER_CONNECTION),
    );
    const turns = Array.from({ length: PER_CONNECTION }, (_, at) => lists.flatMap((list) => list[at] ?? []));
    return turns.flat().slice(0, MOST_LISTED);
  });
}
