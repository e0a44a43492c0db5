import { z } from 'zod';
import type { Grant } from '../../grants/grant.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { errors } from '../library.ts';
import type { KnownSource } from './requested-streams.ts';

export const DETAILS_TYPE = 'https://pdpp.dev/data-access';

const name = z.string().min(1).max(200);
const instant = z.iso.datetime({ offset: true });

const requestedStream = z.strictObject({
  /** `*` asks for every stream of the source. */
  name,
  fields: z.array(name).min(1).max(200).optional(),
  view: name.optional(),
  time_range: z.strictObject({ since: instant.optional(), until: instant.optional() }).optional(),
  resources: z.array(z.string().min(1).max(1_000)).min(1).max(1_000).optional(),
  /** Connections, when a source has several. */
  instance_ids: z.array(name).min(1).max(100).optional(),
});

const detail = z
  .strictObject({
    type: z.literal(DETAILS_TYPE),
    source: z.strictObject({ id: z.string().min(1).max(2_000), kind: z.string().max(50).optional() }),
    purpose_code: z.string().max(500).optional(),
    purpose_description: z.string().max(500).optional(),
    access_mode: z.enum(['continuous', 'single_use']).optional(),
    streams: z.array(requestedStream).min(1).max(200).optional(),
    preset: name.optional(),
    locations: z.array(z.string()).optional(),
  })
  .refine((one) => (one.streams === undefined) !== (one.preset === undefined));

export type RequestedDetail = z.infer<typeof detail>;
export type StreamRequest = z.infer<typeof requestedStream>;

const MAX_DETAILS = 50;

/**
 * Parses a request, or throws RFC 9396's error. Only the syntax is checked: an error that depended on stored data would
 * reveal it to anyone. Names are resolved after the owner signed in.
 */
export function parseDetails(text: string | undefined): RequestedDetail[] | undefined {
  if (text === undefined) return undefined;
  const parsed = z.array(detail).max(MAX_DETAILS).safeParse(parseJson(text));
  if (!parsed.success || hasStreamTwice(parsed.data)) {
    throw new errors.InvalidAuthorizationDetails('the authorization details do not have the expected shape');
  }
  // An empty list means the same as no list.
  return parsed.data.length === 0 ? undefined : parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether two requests cover the same stream. A wildcard, or no list of connections, covers all. */
function hasStreamTwice(details: readonly RequestedDetail[]): boolean {
  const wanted = details.flatMap(({ source, streams }) =>
    (streams ?? []).map((stream) => ({ source: source.id, ...stream })),
  );
  const overlaps = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
    a === undefined || b === undefined || a.some((id) => b.includes(id));
  return wanted.some((one, i) =>
    wanted
      .slice(i + 1)
      .some(
        (other) =>
          one.source === other.source &&
          (one.name === other.name || one.name === '*' || other.name === '*') &&
          overlaps(one.instance_ids, other.instance_ids),
      ),
  );
}

/** RFC 9396 §7: returns the granted access in the syntax of a request, one detail per source. */
export function grantedDetails(grant: Grant, sources: readonly KnownSource[], catalog: Catalog) {
  return sources.flatMap((source) => {
    const connections = new Set(
      catalog.connections
        .filter((connection) => connection.connector_key === source.connectorKey)
        .map((connection) => connection.connection_id),
    );
    const streams = grant.streams
      .filter((terms) => connections.has(terms.connection_id))
      .map((terms) => ({
        name: terms.stream,
        instance_ids: [terms.connection_id],
        fields: [...terms.fields],
        ...(terms.keys === undefined ? {} : { resources: [...terms.keys] }),
        ...describeRange(terms.since, terms.until),
      }));
    if (streams.length === 0) return [];
    return [{ type: DETAILS_TYPE, source: { id: source.id }, access_mode: grant.accessMode, streams }];
  });
}

function describeRange(since: number | undefined, until: number | undefined) {
  const range = Object.entries({ since, until }).flatMap(([name, time]) => {
    const date = new Date(time ?? Number.NaN);
    return Number.isNaN(date.getTime()) ? [] : [[name, date.toISOString()]];
  });
  return range.length === 0 ? {} : { time_range: Object.fromEntries(range) };
}
