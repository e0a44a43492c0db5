import type { Grant } from '../../grants/grant.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { DETAILS_TYPE } from './authorization-details.ts';
import type { KnownSource } from './requested-streams.ts';

/** RFC 9396 §7: what was granted, in the words it was asked in, one detail per source. */
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
  const write = (time: number | undefined) => {
    const date = new Date(time ?? Number.NaN);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  };
  const [from, to] = [write(since), write(until)];
  if (from === undefined && to === undefined) return {};
  return {
    time_range: {
      ...(from === undefined ? {} : { since: from }),
      ...(to === undefined ? {} : { until: to }),
    },
  };
}
