import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedRecord, Match } from '../../reader/granted-record.ts';
import { disclose, type GrantedRead, namedFields } from '../../reads/granted-read.ts';
import { escapeText } from '../../text/escape-text.ts';
import { Budget } from '../../tools/envelope.ts';
import { idOf, titleOf, writeRecordId } from '../../tools/record-view.ts';
import { TITLES_TO_PICK } from '../activity/describe-read.ts';

/** A record in the resource list of a client. */
export interface RecordResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'text/markdown';
}

const RECORDS_PER_CONNECTION = 4;
const MAX_RESOURCES = 60;

/** Lists the newest records of each connection. Others are found by completion. */
export const listResources: GrantedRead<undefined, { resources: RecordResource[] }> = {
  name: 'query_records',
  async run(_, { reader, origin }) {
    const budget = new Budget();
    const shown: GrantedRecord[] = [];
    const resources: RecordResource[] = [];
    for (const record of await readNewest(reader)) {
      const resource = describe(record, reader.timeZone, origin);
      if (shown.length >= MAX_RESOURCES || !budget.take(resource)) break;
      shown.push(record);
      resources.push(resource);
    }
    const streams = [...new Set(shown.map((record) => record.stream))];
    return {
      body: { resources },
      // Some clients list resources at every start. The audit marks these reads.
      disclosure: {
        ...disclose(streams, namedFields(streams, undefined), shown.length),
        way: TITLES_TO_PICK,
      },
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

/** Takes records from the connections in turn, so that a shortened list still includes every connection. */
async function readNewest(reader: GrantedReader): Promise<Match[]> {
  // Connections beyond the limit of the list are not read.
  const all = new Set(reader.streams.map((stream) => stream.connection.connection_id));
  const connections = [...all].slice(0, MAX_RESOURCES);
  const streams = reader.streams.filter((stream) => connections.includes(stream.connection.connection_id));
  return reader.newest(streams, RECORDS_PER_CONNECTION, (found) => {
    const lists = connections.map((id) =>
      found
        .filter((one) => one.stream.connection.connection_id === id)
        .sort((a, b) => b.t - a.t)
        .slice(0, RECORDS_PER_CONNECTION),
    );
    const rounds = Array.from({ length: RECORDS_PER_CONNECTION }, (_, at) =>
      lists.flatMap((list) => list[at] ?? []),
    );
    return rounds.flat().slice(0, MAX_RESOURCES);
  });
}

export interface CompletionRequest {
  readonly part: AddressPart;
  /** The text typed so far. */
  readonly value: string;
  /** The other parts, if chosen. */
  readonly chosen: { readonly [part in AddressPart]?: string | undefined };
}

export interface Completion {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

const MAX_VALUES = 20;

/** Completes a part of a record URI with granted connections, streams and visible keys. */
export const completeAddress: GrantedRead<CompletionRequest, Completion> = {
  name: 'schema',
  async run(request, { reader }) {
    const values = await findValues(request, reader);
    const streams = chosenStreams(request.chosen, reader);
    return {
      body: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES },
      disclosure: disclose(streams, [], request.part === 'key' ? Math.min(values.length, MAX_VALUES) : 0),
    };
  },
};

async function findValues(
  { part, value, chosen }: CompletionRequest,
  reader: GrantedReader,
): Promise<string[]> {
  if (part === 'connection') return findConnections(value, reader);
  if (part === 'stream') {
    const streams = chosenStreams({ ...chosen, stream: undefined }, reader);
    return [...new Set(streams.map((stream) => stream.name))].filter((name) =>
      startsWithIgnoringCase(name, value),
    );
  }
  const keys: string[] = [];
  for (const stream of chosenStreams(chosen, reader)) {
    if (chosen.stream === undefined || keys.length > MAX_VALUES) break;
    keys.push(...(await reader.keys(stream, value, MAX_VALUES + 1)));
  }
  // Keys with invisible characters are not offered.
  return [...new Set(keys)].filter((key) => escapeText(key) === key).map(encodeKey);
}

/** Finds connections by id or by a word of their name. */
function findConnections(value: string, reader: GrantedReader): string[] {
  const connections = reader.streams.map((stream) => stream.connection);
  const words = (text: string) => text.split(/\s+/);
  const found = connections.filter((one) =>
    [one.connection_id, one.display_name, ...words(one.display_name)].some((name) =>
      startsWithIgnoringCase(name, value),
    ),
  );
  return [...new Set(found.map((one) => one.connection_id))];
}

function chosenStreams({ connection, stream }: CompletionRequest['chosen'], reader: GrantedReader) {
  return reader.streams.filter(
    (one) =>
      (connection === undefined || one.connection.connection_id === connection) &&
      (stream === undefined || one.name === stream),
  );
}

function startsWithIgnoringCase(name: string, beginning: string): boolean {
  return name.toLowerCase().startsWith(beginning.toLowerCase());
}

/** The parts of a record URI, in order. */
export const ADDRESS_PARTS = ['connection', 'stream', 'key'] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];

/** Returns the URI template of records. Resource URIs are page addresses. */
export function addressTemplate(origin: string): string {
  return `${origin}/r/${ADDRESS_PARTS.map((part) => `{${part}}`).join('/')}`;
}

/** Returns the part after /r/, still percent-encoded. */
export function readAddress(uri: string, origin: string): string | undefined {
  const prefix = `${origin}/r/`;
  return uri.startsWith(prefix) ? uri.slice(prefix.length) : undefined;
}

/** Encodes a key for the template. */
function encodeKey(key: string): string {
  return decodeURIComponent(writeRecordId('c', 's', key).slice('c/s/'.length));
}
