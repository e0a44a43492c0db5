import type { Condition } from '../filter/filter.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Cursors } from './cursor.ts';

/** What a read is given: the granted reader and nothing else that reads. */
export interface ReadContext {
  readonly reader: GrantedReader;
  readonly cursors: Cursors;
  /** Where records can be opened in a browser. */
  readonly origin: string;
  readonly now: Date;
  readonly requestId: string;
}

/** What was read, in names and numbers, for the audit. */
export interface Disclosure {
  readonly connectionIds: readonly string[];
  readonly streams: readonly string[];
  readonly fields: readonly string[];
  readonly records: number;
  /** Visible records that were gone over, where they are more than were given out. */
  readonly touched?: number;
  /** How they were added up, in names of fields. */
  readonly way?: string;
}

export interface ReadAnswer<Body extends object = Record<string, unknown>> {
  readonly body: Body;
  /** What the body costs a model, where that is known. */
  readonly tokens?: number;
  readonly disclosure: Disclosure;
}

/** A read of records that leaves an audit entry: a tool, or a page that shows records. */
export interface GrantedRead<Input = unknown, Body extends object = Record<string, unknown>> {
  /** The tool that the audit files it under. */
  readonly name: string;
  run(input: Input, context: ReadContext): Promise<ReadAnswer<Body>>;
}

/** Returns the disclosure of an answer: its streams, the fields shown or asked about, and how many records. */
export function disclose(
  streams: readonly GrantedStream[],
  fields: Iterable<string>,
  records: number,
  related: readonly Related[] = [],
): Disclosure {
  const all = [...streams, ...related.map((one) => one.stream)];
  return {
    connectionIds: [...new Set(all.map((stream) => stream.connection.connection_id))],
    streams: [...new Set(all.map((stream) => stream.name))],
    fields: [...new Set([...fields, ...related.flatMap((one) => [...one.stream.fields.keys()])])],
    records: records + related.reduce((sum, one) => sum + one.records, 0),
  };
}

/** Records of another stream that were shown beside a record. */
export interface Related {
  readonly stream: GrantedStream;
  readonly records: number;
}

/** The fields that a call shows, filters or sorts by, over all its streams. */
export function namedFields(
  streams: readonly GrantedStream[],
  shown: readonly string[] | undefined,
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]> = new Map(),
): string[] {
  const asked = [...conditions.values()].flat().flatMap(({ through, field }) => through ?? field.name);
  return [...(shown ?? streams.flatMap((stream) => [...stream.fields.keys()])), ...asked];
}
