import type { SourceDeclaration, StreamDeclaration } from '../schema-index/declaration.ts';

/** The parts that are the same in every declaration of the demo. */
export function declareSource(
  connector_key: string,
  name: string,
  streams: StreamDeclaration[],
): SourceDeclaration {
  return {
    protocol_version: '0.1.0',
    connector_key,
    source: { kind: 'connector', id: `https://sources.pdpp.example/${connector_key}` },
    declaration_version: '2026-10-01',
    publisher: { id: 'https://sources.pdpp.example' },
    display: { name },
    streams,
  };
}

/** Grants may narrow every stream of the demo by field and by record. */
export const selection = { fields: true, resources: true };

type Property = Record<string, unknown>;

/** Required fields are part of every grant, so they are few: the key, the time, what others point to. */
export function describeObject(required: string[], properties: Record<string, Property>): Property {
  return { type: 'object', properties, required };
}

const describe = (property: Property, description?: string): Property =>
  description === undefined ? property : { ...property, description };

export const text = (description?: string) => describe({ type: 'string' }, description);
export const textOrNull = (description?: string) => describe({ type: ['string', 'null'] }, description);
export const time = (description?: string) => describe({ type: 'string', format: 'date-time' }, description);
export const timeOrNull = (description?: string) =>
  describe({ type: ['string', 'null'], format: 'date-time' }, description);
export const date = (description?: string) => describe({ type: 'string', format: 'date' }, description);
export const number = (description?: string) => describe({ type: 'number' }, description);
export const integer = (description?: string) => describe({ type: 'integer' }, description);
export const flag = (description?: string) => describe({ type: 'boolean' }, description);
export const list = (description?: string) =>
  describe({ type: 'array', items: { type: 'string' } }, description);
export const oneOf = (values: readonly string[], description?: string) =>
  describe({ type: 'string', enum: [...values] }, description);
/** Kept from an app unless the owner ticks it: what most people would not hand over unasked. */
export const sensitive = (property: Property): Property => ({ ...property, 'x-pdpp-sensitive': true });
