import type { GrantedReader } from '../../reader/granted-reader.ts';
import { disclose, type GrantedRead } from '../../reads/granted-read.ts';
import { escapeText } from '../../text/escape-text.ts';
import { type AddressPart, keyInAddress } from './record-address.ts';

export interface Completing {
  readonly part: AddressPart;
  /** What was typed so far. */
  readonly value: string;
  /** What the other parts are, as far as they are chosen. */
  readonly chosen: { readonly [part in AddressPart]?: string | undefined };
}

export interface Completed {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

const MOST_VALUES = 20;

/** What a part of a record's address can go on with: granted connections, their streams, keys of visible records. */
export const completeAddress: GrantedRead<Completing, Completed> = {
  name: 'schema',
  async run(completing, { reader }) {
    const values = await findValues(completing, reader);
    const streams = chosenStreams(completing.chosen, reader);
    return {
      body: { values: values.slice(0, MOST_VALUES), hasMore: values.length > MOST_VALUES },
      disclosure: disclose(streams, [], completing.part === 'key' ? Math.min(values.length, MOST_VALUES) : 0),
    };
  },
};

async function findValues({ part, value, chosen }: Completing, reader: GrantedReader): Promise<string[]> {
  if (part === 'connection') return findConnections(value, reader);
  if (part === 'stream') {
    const streams = chosenStreams({ ...chosen, stream: undefined }, reader);
    return [...new Set(streams.map((stream) => stream.name))].filter((name) => startsLike(name, value));
  }
  const keys: string[] = [];
  for (const stream of chosenStreams(chosen, reader)) {
    if (chosen.stream === undefined || keys.length > MOST_VALUES) break;
    keys.push(...(await reader.keys(stream, value, MOST_VALUES + 1)));
  }
  // A key with characters that nobody sees is not offered: what is typed must be what is meant.
  return [...new Set(keys)].filter((key) => escapeText(key) === key).map(keyInAddress);
}

/** By id, or by a word of what the owner calls it. */
function findConnections(value: string, reader: GrantedReader): string[] {
  const connections = reader.streams.map((stream) => stream.connection);
  const words = (text: string) => text.split(/\s+/);
  const found = connections.filter((one) =>
    [one.connection_id, one.display_name, ...words(one.display_name)].some((name) => startsLike(name, value)),
  );
  return [...new Set(found.map((one) => one.connection_id))];
}

function chosenStreams({ connection, stream }: Completing['chosen'], reader: GrantedReader) {
  return reader.streams.filter(
    (one) =>
      (connection === undefined || one.connection.connection_id === connection) &&
      (stream === undefined || one.name === stream),
  );
}

function startsLike(name: string, beginning: string): boolean {
  return name.toLowerCase().startsWith(beginning.toLowerCase());
}
