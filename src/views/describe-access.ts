import type { Grant, GrantedStreamTerms } from '../grants/grant.ts';
import { type Catalog, type CatalogStream, findStream } from '../schema-index/catalog.ts';
import { NO_TIME } from '../store/values.ts';
import { escapeText } from '../text/escape-text.ts';
import { formatDay } from '../time/calendar.ts';
import { toLocal } from '../time/instant.ts';
import { labelFields, labelInSentence } from './field-label.ts';

export interface StreamAccess {
  readonly stream: string;
  readonly label: string;
  readonly detail: string | null;
  readonly fields: readonly string[];
  readonly fields_left_out: readonly string[];
  /** Labels of the fields of both lists, by name. */
  readonly labels: Readonly<Record<string, string>>;
  /** The first day of the period, and the first day after it. */
  readonly since: string | null;
  readonly before: string | null;
  /** The number of individually selected records; null if not limited. */
  readonly picked_records: number | null;
  /** False if the stream is no longer stored. */
  readonly there: boolean;
}

export interface ConnectionAccess {
  readonly connection_id: string;
  readonly name: string;
  readonly connector_key: string | null;
  /** How many streams the connection has now. */
  readonly streams_total: number;
  readonly streams: readonly StreamAccess[];
}

/** Lists the access of a grant by connection and stream, with the owner's names. */
export function outlineAccess(grant: Grant, catalog: Catalog): ConnectionAccess[] {
  const ids = [...new Set(grant.streams.map((terms) => terms.connection_id))];
  return ids.map((connection_id) => {
    const connection = catalog.connections.find((one) => one.connection_id === connection_id);
    return {
      connection_id,
      name: nameConnection(catalog, connection_id),
      connector_key: connection?.connector_key ?? null,
      streams_total: catalog.streams.filter((one) => one.connection.connection_id === connection_id).length,
      streams: grant.streams
        .filter((terms) => terms.connection_id === connection_id)
        .map((terms) => outlineStream(terms, catalog)),
    };
  });
}

export function nameConnection(catalog: Catalog, connectionId: string): string {
  const connection = catalog.connections.find((one) => one.connection_id === connectionId);
  return escapeText(connection?.display_name ?? connectionId);
}

/** Returns the declared label, else the name. */
export function nameStream(stream: CatalogStream | undefined, name: string): string {
  return escapeText(stream?.declaration.display?.label ?? name);
}

function outlineStream(terms: GrantedStreamTerms, catalog: Catalog): StreamAccess {
  const stream = findStream(catalog, terms.connection_id, terms.stream);
  const detail = stream?.declaration.display?.detail;
  const declared = [...(stream?.fields.keys() ?? [])];
  const labels = labelFields(stream?.fields.values() ?? []);
  const day = (time: number | undefined) =>
    time === undefined || time <= NO_TIME + 1 ? null : dayOf(time, stream, catalog.timeZone);
  return {
    stream: terms.stream,
    label: nameStream(stream, terms.stream),
    detail: detail === undefined ? null : escapeText(detail),
    fields: terms.fields,
    fields_left_out: declared.filter((name) => !terms.fields.includes(name)),
    labels: Object.fromEntries([...labels].map(([name, label]) => [name, labelInSentence(label)])),
    since: day(terms.since),
    before: day(terms.until),
    picked_records: terms.keys?.length ?? null,
    there: stream !== undefined,
  };
}

/** Limits of calendar days are already in the owner's time zone. */
function dayOf(time: number, stream: CatalogStream | undefined, timeZone: string): string {
  const local = stream?.timeField?.kind === 'date' ? time : toLocal(time, timeZone);
  return new Date(local).toISOString().slice(0, 10);
}

const MAX_NAMES = 4;
const MAX_CONNECTIONS = 3;

/**
 * Describes access in one line: "Gmail: messages, threads · without 3 fields · since 1 Jan 2025 · until revoked".
 */
export function describeAccess(
  grant: Grant,
  catalog: Catalog,
  /** The description of ended access has no expiry. */
  end: 'with expiry' | 'ended' = 'with expiry',
): string {
  const connections = outlineAccess(grant, catalog);
  if (connections.length === 0) return 'No access';
  const windows = new Set(connections.map(describeWindow));
  const names = connections.slice(0, MAX_CONNECTIONS).map((connection) => {
    const window = windows.size > 1 ? describeWindow(connection) : '';
    return `${connection.name}: ${describeStreams(connection)}${window === '' ? '' : ` (${window})`}`;
  });
  const more = connections.length - names.length;
  if (more > 0) names.push(`${more} more connection${more === 1 ? '' : 's'}`);
  const streams = connections.flatMap((connection) => connection.streams);
  const isAll = connections.length > 1 && streams.length === catalog.streams.length && windows.size === 1;
  const hidden = streams.reduce((sum, stream) => sum + stream.fields_left_out.length, 0);
  const picked = streams.filter((stream) => stream.picked_records !== null);
  const shared = windows.size === 1 ? ([...windows][0] as string) : '';
  return [
    isAll ? `Everything: ${connections.length} connections, ${streams.length} streams` : names.join('; '),
    ...(hidden === 0 ? [] : [`without ${hidden} field${hidden === 1 ? '' : 's'}`]),
    ...(picked.length === 0 ? [] : ['selected records only']),
    ...(shared === '' ? [] : [shared]),
    ...(end === 'ended' ? [] : [describeEnd(grant, catalog)]),
  ].join(' · ');
}

function describeEnd({ expiresAt }: Grant, { timeZone }: Catalog): string {
  return expiresAt === undefined ? 'until revoked' : `until ${localDay(expiresAt, timeZone)}`;
}

function describeStreams({ streams, streams_total }: ConnectionAccess): string {
  const labels = streams.map((stream) => stream.label);
  if (labels.length > MAX_NAMES && labels.length === streams_total) return `all ${labels.length} streams`;
  const more = labels.length - MAX_NAMES;
  return more > 0 ? `${labels.slice(0, MAX_NAMES).join(', ')} and ${more} more` : labels.join(', ');
}

function describeWindow({ streams }: ConnectionAccess): string {
  const windows = new Set(
    streams.map(({ since, before }) =>
      [
        ...(since === null ? [] : [`since ${formatDay(Date.parse(since))}`]),
        ...(before === null ? [] : [`before ${formatDay(Date.parse(before))}`]),
      ].join(' '),
    ),
  );
  return windows.size === 1 ? ([...windows][0] as string) : 'different periods';
}

function localDay(at: string, timeZone: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : formatDay(toLocal(time, timeZone));
}
