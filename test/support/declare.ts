import { declareSource } from '../../src/sources/declare.ts';

type Property = Record<string, unknown>;

export interface StreamOptions {
  fields: Record<string, Property>;
  key?: string;
  time?: string;
  required?: string[];
  search?: string[];
  relationships?: { name: string; stream: string; foreign_key: string; cardinality: string }[];
}

/** A stream of a declaration, with everything a test does not care about filled in. */
export function declareStream(name: string, options: StreamOptions) {
  const key = options.key ?? 'id';
  return {
    name,
    semantics: 'mutable_state',
    schema: { type: 'object', properties: options.fields, required: options.required ?? [key] },
    primary_key: [key],
    ...(options.time === undefined ? {} : { consent_time_field: options.time }),
    selection: { fields: true, resources: true },
    ...(options.relationships === undefined ? {} : { relationships: options.relationships }),
    ...(options.search === undefined ? {} : { query: { search: { lexical_fields: options.search } } }),
  };
}

export function declare(connectorKey: string, streams: ReturnType<typeof declareStream>[]): unknown {
  return declareSource(connectorKey, connectorKey, streams as never);
}

export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const time = { type: 'string', format: 'date-time' };
export const anything = {};
