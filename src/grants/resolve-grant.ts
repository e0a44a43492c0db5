import { AppError } from '../errors.ts';
import { type Catalog, type CatalogStream, findStream } from '../schema-index/catalog.ts';
import { NO_TIME } from '../store/values.ts';
import { command, hint } from '../text/hint.ts';
import { toLocal } from '../time/instant.ts';
import type { GrantedStreamTerms } from './grant.ts';
import { isInEveryRecord } from './sensitive.ts';

/** What an owner allows: a whole connection, one stream of it, or some fields of that stream. */
export interface Allowance {
  connection_id: string;
  stream?: string;
  fields?: string[];
  keys?: string[];
}

export interface Window {
  since?: number;
  until?: number;
}

/** Resolves allowances to explicit terms. `left_out` lists streams without a time field that a window could limit. */
export function resolveGrant(
  catalog: Catalog,
  allowances: readonly Allowance[],
  window: Window = {},
): { streams: GrantedStreamTerms[]; left_out: string[] } {
  const hasWindow = window.since !== undefined || window.until !== undefined;
  const terms = new Map<string, GrantedStreamTerms>();
  const leftOut: string[] = [];
  for (const allowance of allowances) {
    for (const stream of findAllowed(catalog, allowance)) {
      const { connection_id } = stream.connection;
      const timeField = stream.declaration.consent_time_field;
      const id = `${connection_id}:${stream.name}`;
      if (hasWindow && timeField === undefined) {
        checkOptional(allowance);
        leftOut.push(id);
        continue;
      }
      const known = terms.get(id);
      if (known !== undefined && JSON.stringify(known.keys) !== JSON.stringify(allowance.keys))
        throw new AppError('invalid_argument', 'A stream was allowed twice with different record keys.');
      const named = new Set([...(known?.fields ?? []), ...resolveFields(stream, allowance.fields)]);
      terms.set(id, {
        connection_id,
        stream: stream.name,
        fields: [...stream.fields.keys()].filter((name) => named.has(name)),
        ...(timeField === undefined ? {} : { time_field: timeField }),
        ...(hasWindow ? resolveWindow(window, stream, catalog.timeZone) : {}),
        ...(allowance.keys === undefined ? {} : { keys: [...new Set(allowance.keys)] }),
      });
    }
  }
  if (terms.size === 0)
    throw new AppError('invalid_argument', 'The grant would allow nothing.', { left_out: leftOut });
  return { streams: [...terms.values()], left_out: leftOut };
}

/** Refuses to leave out a stream that was allowed by name. */
function checkOptional({ stream }: Allowance): void {
  if (stream === undefined) return;
  throw new AppError('invalid_argument', 'A stream without a consent time field cannot be limited in time.', {
    hint: 'Leave out since and until, or allow it in a separate grant.',
    stream,
  });
}

/** Moves a window over dates to UTC: a date is stored as midnight UTC whatever the zone. */
function resolveWindow({ since, until }: Window, { timeField }: CatalogStream, timeZone: string): Window {
  const edge = (instant: number) => (timeField?.kind === 'date' ? toLocal(instant, timeZone) : instant);
  return {
    since: since === undefined ? NO_TIME + 1 : edge(since),
    ...(until === undefined ? {} : { until: edge(until) }),
  };
}

/** Returns terms for everything, for the owner's own reads. */
export function ownerTerms(catalog: Catalog): GrantedStreamTerms[] {
  return catalog.streams.map((stream) => ({
    connection_id: stream.connection.connection_id,
    stream: stream.name,
    fields: [...stream.fields.keys()],
  }));
}

function findAllowed(catalog: Catalog, { connection_id: id, stream: name }: Allowance): CatalogStream[] {
  if (!catalog.connections.some((one) => one.connection_id === id)) {
    throw new AppError('unknown_connection', 'There is no connection with that id.', {
      hint: hint`List them: ${command('connection list')}`,
      available: catalog.connections.map((one) => one.connection_id).slice(0, 20),
    });
  }
  const streams = catalog.streams.filter((stream) => stream.connection.connection_id === id);
  if (name === undefined) return streams;
  const stream = findStream(catalog, id, name);
  if (stream !== undefined) return [stream];
  throw new AppError('unknown_stream', 'The connection has no stream of that name.', {
    available: streams.map((one) => one.name),
  });
}

/** Returns the named fields, with the required fields and the key that every record has. */
function resolveFields(stream: CatalogStream, fields: readonly string[] | undefined): string[] {
  const names = [...stream.fields.keys()];
  if (fields === undefined) return names;
  if (!fields.every((name) => stream.fields.has(name)))
    throw new AppError('unknown_field', 'The stream has no field of that name.', { available: names });
  const always = [...stream.fields.values()].filter((field) => isInEveryRecord(stream, field));
  return [...always.map((field) => field.name), ...fields];
}
