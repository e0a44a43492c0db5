import { createHash } from 'node:crypto';
import { comesAlways, FREE_TEXT, findFieldReason, findStreamReason } from '../../grants/sensitive.ts';
import type { Catalog, CatalogStream } from '../../schema-index/catalog.ts';
import type { StreamSpan } from '../../store/stored-reads.ts';
import { replaceUnseen, writeOut } from '../../text/unseen.ts';
import { dayName } from '../../time/calendar.ts';
import { labelFields, labelInside } from '../../views/field-label.ts';
import { type AskingClient, cleanText } from './asking-client.ts';
import type { AskedStream, MissingName, Requested } from './requested-streams.ts';

export interface OfferedField {
  readonly name: string;
  readonly label: string;
  /** The same in the middle of a sentence. */
  readonly inside: string;
  readonly description?: string;
  readonly sensitive?: string;
  /** What people wrote: without it a stream is not what its description says. */
  readonly private_text?: true;
  /** Part of every record: it comes with the stream. */
  readonly always: boolean;
  /** Ticked on a page that nobody has sent yet. */
  readonly suggested: boolean;
  /** By this the form names it. */
  readonly value: string;
}

export interface OfferedStream {
  /** Its place in the offer, by which the form names it. */
  readonly index: number;
  /** What it is, and what comes with it, so that it can be found again in an offer that has changed. */
  readonly id: string;
  readonly stream: string;
  readonly label: string;
  readonly detail?: string;
  readonly records: number;
  readonly first?: string;
  readonly last?: string;
  readonly timed: boolean;
  readonly sensitive?: string;
  /** Ticked on a page that nobody has sent yet. */
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

/** The access that the owner changes, as it is now. */
export interface HeldAccess {
  readonly grant_id: string;
  readonly revision: string | null;
  /** The time that all its streams share; where they differ, the time that all of them have. New streams get it. */
  readonly since?: number;
  readonly until?: number;
  readonly times_differ: boolean;
  readonly time: string;
  readonly expires_at: string | null;
  readonly end: string;
}

/** Everything the owner decides about, exactly as shown. */
export interface Offer {
  readonly client: AskingClient;
  readonly purpose?: string;
  readonly access_mode: 'continuous' | 'single_use';
  /** The client said itself what it wants; the page can only narrow it. */
  readonly requested: boolean;
  /** Present where the owner changes an access instead of giving a new one. */
  readonly held?: HeldAccess;
  readonly connections: readonly OfferedConnection[];
  /** What the client asked for and is not there, in its own words. */
  readonly missing: readonly MissingName[];
  /** Stands for who asks, where the answer goes and what can be ticked. An approval must repeat it. */
  readonly digest: string;
}

export interface OfferInput {
  readonly client: AskingClient;
  readonly resource: string;
  readonly purpose?: string | undefined;
  readonly accessMode: Offer['access_mode'];
  readonly requested: boolean;
  readonly held?: HeldAccess;
  readonly asked: Requested['asked'];
  readonly missing: Requested['missing'];
  readonly catalog: Catalog;
  readonly spans: ReadonlyMap<number, StreamSpan>;
}

export function createOffer(input: OfferInput): Offer {
  const connections = input.catalog.connections.flatMap((connection) => {
    const streams = input.asked.flatMap((asked, index) =>
      asked.stream.connection.connection_id === connection.connection_id
        ? [offerStream(asked, index, input)]
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
  return { asked: catalog.streams.map((stream) => ({ stream })), missing: [] };
}

function offerStream(asked: AskedStream, index: number, input: OfferInput): OfferedStream {
  const { stream } = asked;
  const { declaration } = stream;
  const sensitive = findStreamReason(stream);
  const span = input.spans.get(stream.streamId);
  const fields = offerFields(asked, index);
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
    suggested: isSuggested(asked, input, sensitive),
    fields,
    ...(asked.since === undefined ? {} : { asked_since: new Date(asked.since).toISOString() }),
    ...(asked.until === undefined ? {} : { asked_until: new Date(asked.until).toISOString() }),
    ...(asked.keys === undefined ? {} : { asked_records: asked.keys.length }),
  };
}

/**
 * An app that named itself may be anyone: nothing is suggested for it. Of a known one, what it asked for. A change begins
 * with what is given now.
 */
function isSuggested(asked: AskedStream, input: OfferInput, sensitive: string | undefined): boolean {
  if (input.held !== undefined) return asked.held !== undefined;
  return input.client.verified_host !== undefined && (input.requested || sensitive === undefined);
}

/** Words of whoever wrote the declaration or named the connection. */
function show(text: string): string {
  return replaceUnseen(text, writeOut);
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

/** Of a stream that the owner ticks, the fields that were asked for by name or are not sensitive come along. */
function offerFields({ stream, fields: asked, held }: AskedStream, index: number) {
  const labels = labelFields(stream.fields.values());
  return [...stream.fields.values()].flatMap((field): OfferedField[] => {
    const always = comesAlways(stream, field);
    if (!always && asked?.includes(field.name) === false) return [];
    const sensitive = findFieldReason(field);
    const label = labels.get(field.name) ?? field.name;
    return [
      {
        name: field.name,
        label,
        inside: labelInside(label),
        ...(field.description === undefined ? {} : { description: show(field.description) }),
        ...(sensitive === undefined ? {} : { sensitive }),
        ...(sensitive === FREE_TEXT ? { private_text: true } : {}),
        always,
        suggested:
          always ||
          (held === undefined
            ? sensitive === undefined || asked !== undefined
            : held.fields.includes(field.name)),
        value: `${index}.${field.name}`,
      },
    ];
  });
}

/** Counts and spans grow while the owner reads; everything else that is shown is fixed, and so are keys and present terms. */
function digestOf(shown: Omit<Offer, 'digest'>, { resource, asked }: OfferInput): string {
  const fixed = JSON.stringify(
    [shown, resource, asked.map(({ keys, held }) => [keys ?? null, held ?? null])],
    (name, value) => (['records', 'first', 'last'].includes(name) ? undefined : value),
  );
  return createHash('sha256').update(fixed).digest('base64url');
}
