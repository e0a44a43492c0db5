import { createHash } from 'node:crypto';
import { FREE_TEXT, findFieldReason, findStreamReason, isInEveryRecord } from '../../grants/sensitive.ts';
import type { Catalog, CatalogStream } from '../../schema-index/catalog.ts';
import type { StreamSpan } from '../../store/stored-reads.ts';
import { escapeInvisible, replaceInvisible } from '../../text/unseen.ts';
import { dayName } from '../../time/calendar.ts';
import { labelFields, labelInSentence } from '../../views/field-label.ts';
import type { MissingName, Requested, RequestedStream } from './requested-streams.ts';
import { cleanText, type RequestingClient } from './requesting-client.ts';

export interface OfferedField {
  readonly name: string;
  readonly label: string;
  /** The label inside a sentence. */
  readonly inside: string;
  readonly description?: string;
  readonly sensitive?: string;
  /** Text that people wrote. */
  readonly private_text?: true;
  /** Always disclosed with the stream. */
  readonly always: boolean;
  /** Ticked when the page opens. */
  readonly suggested: boolean;
  /** Its name in the form. */
  readonly value: string;
}

export interface OfferedStream {
  /** Its position in the offer, which is its name in the form. */
  readonly index: number;
  /** Identifies the stream in an offer that has changed. */
  readonly id: string;
  readonly stream: string;
  readonly label: string;
  readonly detail?: string;
  readonly records: number;
  readonly first?: string;
  readonly last?: string;
  readonly timed: boolean;
  readonly sensitive?: string;
  /** Ticked when the page opens. */
  readonly suggested: boolean;
  readonly fields: readonly OfferedField[];
  readonly asked_since?: string;
  readonly asked_until?: string;
  readonly asked_records?: number;
}

export interface OfferedConnection {
  readonly connection_id: string;
  readonly name: string;
  readonly connector_key: string;
  readonly streams: readonly OfferedStream[];
}

/** The current state of an access that the owner changes. */
export interface HeldAccess {
  readonly grant_id: string;
  readonly revision: string | null;
  /** The period that all its streams share. New streams get it. */
  readonly since?: number;
  readonly until?: number;
  readonly times_differ: boolean;
  readonly time: string;
  readonly expires_at: string | null;
  readonly end: string;
}

/** Everything the owner decides about, as the page shows it. */
export interface Offer {
  readonly client: RequestingClient;
  readonly purpose?: string;
  readonly access_mode: 'continuous' | 'single_use';
  /** The client requested streams by name; the page can only narrow the request. */
  readonly requested: boolean;
  /** Present when the owner changes an existing access. */
  readonly held?: HeldAccess;
  readonly connections: readonly OfferedConnection[];
  /** Names in the request that do not exist. */
  readonly missing: readonly MissingName[];
  /** Covers the client, the redirect and everything that can be ticked. An approval must repeat it. */
  readonly digest: string;
}

export interface OfferInput {
  readonly client: RequestingClient;
  readonly resource: string;
  readonly purpose?: string | undefined;
  readonly accessMode: Offer['access_mode'];
  readonly requested: boolean;
  readonly held?: HeldAccess;
  readonly requestedStreams: Requested['requestedStreams'];
  readonly missing: Requested['missing'];
  readonly catalog: Catalog;
  readonly spans: ReadonlyMap<number, StreamSpan>;
}

export function createOffer(input: OfferInput): Offer {
  const connections = input.catalog.connections.flatMap((connection) => {
    const streams = input.requestedStreams.flatMap((request, index) =>
      request.stream.connection.connection_id === connection.connection_id
        ? [offerStream(request, index, input)]
        : [],
    );
    if (streams.length === 0) return [];
    const { connection_id, display_name, connector_key } = connection;
    return [{ connection_id, name: show(display_name), connector_key, streams }];
  });
  const offer = {
    client: input.client,
    ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
    access_mode: input.accessMode,
    requested: input.requested,
    ...(input.held === undefined ? {} : { held: input.held }),
    connections,
    missing: input.missing.map(({ what, name }) => ({ what, name: cleanText(name, 100) ?? '?' })),
  };
  return { ...offer, digest: digestOf(offer, input) };
}

export function askForAll(catalog: Catalog): Requested {
  return { requestedStreams: catalog.streams.map((stream) => ({ stream })), missing: [] };
}

function offerStream(request: RequestedStream, index: number, input: OfferInput): OfferedStream {
  const { stream } = request;
  const { declaration } = stream;
  const sensitive = findStreamReason(stream);
  const span = input.spans.get(stream.streamId);
  const fields = offerFields(request, index);
  return {
    index,
    id: writeId(stream, fields),
    stream: stream.name,
    label: show(declaration.display?.label ?? stream.name),
    ...(declaration.display?.detail === undefined ? {} : { detail: show(declaration.display.detail) }),
    records: span?.records ?? 0,
    ...describeSpan(span),
    timed: declaration.consent_time_field !== undefined,
    ...(sensitive === undefined ? {} : { sensitive }),
    suggested: isSuggested(request, input, sensitive),
    fields,
    ...(request.since === undefined ? {} : { asked_since: new Date(request.since).toISOString() }),
    ...(request.until === undefined ? {} : { asked_until: new Date(request.until).toISOString() }),
    ...(request.keys === undefined ? {} : { asked_records: request.keys.length }),
  };
}

/**
 * Suggests nothing to an unverified app, which may be anyone. A verified one gets what it requested. A change starts with
 * the current access.
 */
function isSuggested(request: RequestedStream, input: OfferInput, sensitive: string | undefined): boolean {
  if (input.held !== undefined) return request.held !== undefined;
  return input.client.verified_host !== undefined && (input.requested || sensitive === undefined);
}

/** Makes invisible characters visible: declarations and connection names are not ours. */
function show(text: string): string {
  return replaceInvisible(text, escapeInvisible);
}

function describeSpan(span: StreamSpan | undefined): Pick<OfferedStream, 'first' | 'last'> {
  const [first, last] = [span?.first, span?.last].map((day) => (day == null ? null : dayName(day)));
  return first && last ? { first, last } : {};
}

function writeId({ connection, name }: CatalogStream, fields: readonly OfferedField[]): string {
  const always = fields.filter((field) => field.always).map((field) => field.name);
  return [connection.connection_id, connection.connector_key, name, ...always]
    .map(encodeURIComponent)
    .join('/');
}

/** Suggests the fields that were requested by name or are not sensitive. */
function offerFields({ stream, fields: requestedFields, held }: RequestedStream, index: number) {
  const labels = labelFields(stream.fields.values());
  return [...stream.fields.values()].flatMap((field): OfferedField[] => {
    const always = isInEveryRecord(stream, field);
    if (!always && requestedFields?.includes(field.name) === false) return [];
    const sensitive = findFieldReason(field);
    const label = labels.get(field.name) ?? field.name;
    return [
      {
        name: field.name,
        label,
        inside: labelInSentence(label),
        ...(field.description === undefined ? {} : { description: show(field.description) }),
        ...(sensitive === undefined ? {} : { sensitive }),
        ...(sensitive === FREE_TEXT ? { private_text: true } : {}),
        always,
        suggested:
          always ||
          (held === undefined
            ? sensitive === undefined || requestedFields !== undefined
            : held.fields.includes(field.name)),
        value: `${index}.${field.name}`,
      },
    ];
  });
}

/** Hashes the offer with its keys and current terms. Counts and spans are left out, because they grow while the owner reads. */
function digestOf(shown: Omit<Offer, 'digest'>, { resource, requestedStreams }: OfferInput): string {
  const fixed = JSON.stringify(
    [shown, resource, requestedStreams.map(({ keys, held }) => [keys ?? null, held ?? null])],
    (name, value) => (['records', 'first', 'last'].includes(name) ? undefined : value),
  );
  return createHash('sha256').update(fixed).digest('base64url');
}
