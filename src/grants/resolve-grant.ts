import { AppError } from '../errors.ts';
import { type Catalog, type CatalogStream, findStream } from '../schema-index/catalog.ts';
import { NO_TIME } from '../store/values.ts';
import { command, hint } from '../text/hint.ts';
import { toLocal } from '../time/instant.ts';
import type { GrantedStreamTerms } from './grant.ts';

/** What an owner asks to allow: a whole connection, one stream of it, or some fields of that stream. */
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

/** Turns what was asked for into explicit, frozen terms. Streams that cannot hold the window are named. */
export function resolveGrant(
  catalog: Catalog,
  allowances: readonly Allowance[],
  window: Window = {},
): { streams: GrantedStreamTerms[]; left_out: string[] } {
  const windowed = window.since !== undefined || window.until !== undefined;
  const terms = new Map<string, GrantedStreamTerms>();
  const leftOut: string[] = [];
  for (const allowance of allowances) {
    for (const stream of findAllowed(catalog, allowance)) {
      const timeField = stream.declaration.consent_time_field;
      const id = `${stream.connection.connection_id}:${stream.name}`;
      if (windowed && timeField === undefined) {
        if (allowance.stream !== undefined) {
          throw new AppError(
            'invalid_argument',
            'A stream without a consent time field cannot be limited in time.',
            {
              hint: 'Leave out since and until, or allow it in a grant of its own.',
              stream: stream.name,
            },
          );
        }
        leftOut.push(id);
        continue;
      }
      const before = terms.get(id);
      if (before !== undefined && !sameKeys(before.keys, allowance.keys)) {
        throw new AppError('invalid_argument', 'A stream was allowed twice with different record keys.');
      }
      terms.set(id, {
        connection_id: stream.connection.connection_id,
        stream: stream.name,
        fields: inDeclaredOrder(stream, [
          ...(before?.fields ?? []),
          ...resolveFields(stream, allowance.fields),
        ]),
        ...(timeField === undefined ? {} : { time_field: timeField }),
        ...(windowed ? resolveWindow(window, stream, catalog.timeZone) : {}),
        ...(allowance.keys === undefined ? {} : { keys: [...new Set(allowance.keys)] }),
      });
    }
  }
  if (terms.size === 0)
    throw new AppError('invalid_argument', 'The grant would allow nothing.', { left_out: leftOut });
  return { streams: [...terms.values()], left_out: leftOut };
}

/** A day of the calendar lies at midnight UTC whatever the zone, so a window over days is moved there too. */
function resolveWindow(window: Window, stream: CatalogStream, timeZone: string): Window {
  const edge = (instant: number) =>
    stream.timeField?.kind === 'date' ? toLocal(instant, timeZone) : instant;
  return {
    since: window.since === undefined ? NO_TIME + 1 : edge(window.since),
    ...(window.until === undefined ? {} : { until: edge(window.until) }),
  };
}

/** Everything there is, for the owner's own reads. */
export function ownerTerms(catalog: Catalog): GrantedStreamTerms[] {
  return catalog.streams.map((stream) => ({
    connection_id: stream.connection.connection_id,
    stream: stream.name,
    fields: [...stream.fields.keys()],
  }));
}

function findAllowed(catalog: Catalog, allowance: Allowance): CatalogStream[] {
  const connection = catalog.connections.find((one) => one.connection_id === allowance.connection_id);
  if (connection === undefined) {
    throw new AppError('unknown_connection', 'There is no connection with that id.', {
      hint: hint`List them: ${command('connection list')}`,
      available: catalog.connections.map((one) => one.connection_id).slice(0, 20),
    });
  }
  if (allowance.stream === undefined) {
    return catalog.streams.filter((stream) => stream.connection.connection_id === connection.connection_id);
  }
  const stream = findStream(catalog, connection.connection_id, allowance.stream);
  if (stream !== undefined) return [stream];
  throw new AppError('unknown_stream', 'The connection has no stream of that name.', {
    available: catalog.streams
      .filter((one) => one.connection.connection_id === connection.connection_id)
      .map((one) => one.name),
  });
}

/** Required fields and the key are always part of it: without them a record is not one. */
function resolveFields(stream: CatalogStream, fields: readonly string[] | undefined): string[] {
  const all = [...stream.fields.values()];
  if (fields === undefined) return all.map((field) => field.name);
  const unknown = fields.find((name) => !stream.fields.has(name));
  if (unknown !== undefined) {
    throw new AppError('unknown_field', 'The stream has no field of that name.', {
      available: all.map((field) => field.name),
    });
  }
  const always = all.filter((field) => field.required || stream.declaration.primary_key.includes(field.name));
  return [...always.map((field) => field.name), ...fields];
}

function inDeclaredOrder(stream: CatalogStream, names: readonly string[]): string[] {
  const wanted = new Set(names);
  return [...stream.fields.keys()].filter((name) => wanted.has(name));
}

function sameKeys(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
