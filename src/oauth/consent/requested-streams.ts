import type { GrantedStreamTerms } from '../../grants/grant.ts';
import type { Catalog, CatalogStream } from '../../schema-index/catalog.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import type { ReadStore } from '../../store/store.ts';

import type { RequestedDetail, StreamRequest } from './authorization-details.ts';

/** A stream that a client requested by name, with the limits it set itself. */
export interface RequestedStream {
  readonly stream: CatalogStream;
  /** Absent means every field. */
  readonly fields?: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly keys?: readonly string[];
  /** The current terms, when the owner changes an existing access. */
  readonly held?: GrantedStreamTerms;
}

/** A requested name that does not exist, as the client wrote it. */
export interface MissingName {
  readonly what: 'source' | 'preset' | 'connection' | 'stream' | 'view' | 'field' | 'times of' | 'more of';
  readonly name: string;
}

export interface Requested {
  readonly requestedStreams: readonly RequestedStream[];
  readonly missing: readonly MissingName[];
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

export async function readSources(store: ReadStore): Promise<KnownSource[]> {
  return (await store.catalog.listSources()).map(({ connector_key: connectorKey, declaration: text }) => {
    const declaration = JSON.parse(text) as SourceDeclaration;
    return {
      id: declaration.source.id,
      connectorKey,
      presets: (declaration.selection_presets ?? []) as KnownSource['presets'],
    };
  });
}

/**
 * Resolves a request to streams and fields of the current connections, and lists names that do not exist. Only the
 * owner sees that list: a refusal would reveal to anyone what exists.
 */
export function resolveRequested(
  catalog: Catalog,
  sources: readonly KnownSource[],
  details: readonly RequestedDetail[],
): Requested {
  const missing: MissingName[] = [];
  const addMissing = (what: MissingName['what'], name: string): [] => {
    missing.push({ what, name });
    return [];
  };
  const found = details.flatMap((detail) => {
    const source = sources.find((one) => one.id === detail.source.id);
    if (source === undefined) return addMissing('source', detail.source.id);
    const preset = source.presets.find((one) => one.id === detail.preset);
    const wanted: readonly StreamRequest[] | undefined = detail.streams ?? preset?.streams;
    if (wanted === undefined) return addMissing('preset', detail.preset ?? '');
    return wanted.flatMap((one) => resolveStream(catalog, source, one, addMissing));
  });
  const seen = new Set<number>();
  const requestedStreams = found.filter(({ stream }) => {
    const isNew = !seen.has(stream.streamId);
    seen.add(stream.streamId);
    // A preset may contain a stream that is also named. Only one set of limits can apply.
    if (!isNew) addMissing('more of', stream.name);
    return isNew;
  });
  return { requestedStreams, missing };
}

type AddMissing = (what: MissingName['what'], name: string) => [];

function resolveStream(
  catalog: Catalog,
  source: KnownSource,
  wanted: StreamRequest,
  addMissing: AddMissing,
): RequestedStream[] {
  const sourceStreams = catalog.streams.filter(
    ({ connection }) => connection.connector_key === source.connectorKey,
  );
  const isWanted = ({ connection }: CatalogStream) =>
    wanted.instance_ids?.includes(connection.connection_id) ?? true;
  for (const id of wanted.instance_ids ?? []) {
    if (!sourceStreams.some(({ connection }) => connection.connection_id === id))
      addMissing('connection', id);
  }
  const named = sourceStreams.filter(({ name }) => wanted.name === '*' || name === wanted.name);
  if (named.length === 0) return addMissing('stream', wanted.name);
  return named.filter(isWanted).flatMap((stream) => {
    const limits = resolveLimits(stream, wanted, addMissing);
    return limits === undefined ? [] : [{ stream, ...limits }];
  });
}

/** Returns nothing if a requested limit cannot be applied: without it the app would get more than it requested. */
function resolveLimits(
  stream: CatalogStream,
  wanted: StreamRequest,
  addMissing: AddMissing,
): Omit<RequestedStream, 'stream'> | undefined {
  const { since, until } = wanted.time_range ?? {};
  if (wanted.time_range !== undefined && stream.declaration.consent_time_field === undefined) {
    addMissing('times of', stream.name);
    return undefined;
  }
  const named = wanted.fields ?? findView(stream, wanted.view, addMissing);
  const fields = named?.filter((field) => stream.fields.has(field));
  for (const field of named ?? [])
    if (!stream.fields.has(field)) addMissing('field', `${stream.name}.${field}`);
  const isNothing = fields === undefined ? wanted.view !== undefined : fields.length === 0;
  if (isNothing) return undefined;
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    ...(wanted.resources === undefined ? {} : { keys: wanted.resources }),
  };
}

function findView(
  stream: CatalogStream,
  id: string | undefined,
  addMissing: AddMissing,
): readonly string[] | undefined {
  if (id === undefined) return undefined;
  const view = stream.declaration.views?.find((one) => one.id === id);
  if (view === undefined) addMissing('view', `${stream.name}.${id}`);
  return view?.fields;
}
