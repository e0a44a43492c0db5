import type { Catalog, CatalogStream } from '../schema-index/catalog.ts';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import type { RequestedDetail, RequestedStream } from './authorization-details.ts';
import { errors } from './library.ts';

/** One stream a client asked for by name, and the limits it set itself. */
export interface AskedStream {
  readonly stream: CatalogStream;
  /** Absent means every field. */
  readonly fields?: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly keys?: readonly string[];
}

/** Sources by their PDPP id, as far as pages and requests need them. */
export interface KnownSource {
  readonly id: string;
  readonly connectorKey: string;
  readonly presets: readonly {
    id: string;
    streams: readonly { name: string; fields?: string[]; view?: string }[];
  }[];
}

/**
 * Turns what a client asked for into explicit streams and fields of today's connections. A name that does not
 * exist is refused with the same words whatever does exist.
 */
export function resolveRequested(
  catalog: Catalog,
  sources: readonly KnownSource[],
  details: readonly RequestedDetail[],
): AskedStream[] {
  const asked = details.flatMap((detail) => {
    const source = sources.find((one) => one.id === detail.source.id);
    if (source === undefined) throw unknown();
    const wanted: readonly RequestedStream[] =
      detail.streams ?? source.presets.find((preset) => preset.id === detail.preset)?.streams ?? [];
    if (wanted.length === 0) throw unknown();
    return wanted.flatMap((one) => resolveStream(catalog, source, one));
  });
  const ids = asked.map(({ stream }) => `${stream.connection.connection_id}/${stream.name}`);
  if (new Set(ids).size !== ids.length) throw unknown();
  return asked;
}

function resolveStream(catalog: Catalog, source: KnownSource, wanted: RequestedStream): AskedStream[] {
  const ofSource = catalog.streams.filter(
    ({ connection }) =>
      connection.connector_key === source.connectorKey &&
      (wanted.instance_ids?.includes(connection.connection_id) ?? true),
  );
  const missing = wanted.instance_ids?.some(
    (id) => !ofSource.some(({ connection }) => connection.connection_id === id),
  );
  const streams = ofSource.filter(({ name }) => wanted.name === '*' || name === wanted.name);
  if (missing || streams.length === 0) throw unknown();
  return streams.map((stream) => ({ stream, ...resolveLimits(stream, wanted) }));
}

function resolveLimits(stream: CatalogStream, wanted: RequestedStream): Omit<AskedStream, 'stream'> {
  const fields = wanted.fields ?? findView(stream.declaration, wanted.view);
  if (fields?.some((field) => !stream.fields.has(field))) throw unknown();
  if (wanted.time_range !== undefined && stream.declaration.consent_time_field === undefined) throw unknown();
  const { since, until } = wanted.time_range ?? {};
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    ...(wanted.resources === undefined ? {} : { keys: wanted.resources }),
  };
}

function findView(declaration: StreamDeclaration, id: string | undefined): readonly string[] | undefined {
  if (id === undefined) return undefined;
  const view = declaration.views?.find((one) => one.id === id);
  if (view === undefined) throw unknown();
  return view.fields;
}

function unknown() {
  return new errors.InvalidAuthorizationDetails(
    'a source, connection, stream, field, view or preset is not known here, or is named twice',
  );
}
