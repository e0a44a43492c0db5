import { type EventKind, eventKinds } from '../../audit/event-kinds.ts';
import { readAccessChange } from '../../audit/known-endings.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import type { StoredEvent, StoredRead } from '../../store/audit-store.ts';
import { escapeText } from '../../text/escape-text.ts';
import { formatHint } from '../../text/hint.ts';
import { nameConnection } from '../describe-access.ts';

/** One read, in names and numbers: the audit holds no values. */
export interface ReadLine {
  readonly type: 'read';
  readonly id: number;
  readonly at: string;
  readonly request_id: string;
  readonly client: string;
  readonly grant_id: string | null;
  readonly surface: string;
  readonly tool: string;
  readonly connections: readonly string[];
  readonly streams: readonly string[];
  readonly fields: readonly string[];
  readonly records: number;
  readonly tokens_out: number;
  readonly ms: number;
  readonly outcome: string;
  /** Records that were read for the answer, where that is more than were returned. */
  readonly touched: number | null;
  readonly way: string | null;
}

/** An event other than a read. */
export interface EventLine {
  readonly type: 'event';
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly client: string | null;
  readonly grant_id: string | null;
  readonly detail: string | null;
  /** How often it happened: a flood is counted in one row. */
  readonly times: number;
}

export function toReadLine(row: StoredRead): ReadLine {
  return {
    type: 'read',
    id: row.id,
    at: row.at,
    request_id: row.request_id,
    client: escapeText(row.client),
    grant_id: row.grant_id,
    surface: row.surface,
    tool: row.tool,
    connections: splitNames(row.connection_id),
    streams: splitNames(row.stream),
    fields: splitNames(row.fields),
    records: row.records,
    tokens_out: row.tokens_out,
    ms: row.ms,
    outcome: row.outcome,
    touched: row.touched,
    way: row.way === null ? null : escapeText(row.way),
  };
}

/** A kind that this version does not know is shown by its name. */
export function toEventLine(row: StoredEvent): EventLine {
  const known = Object.hasOwn(eventKinds, row.kind)
    ? formatHint(eventKinds[row.kind as EventKind])
    : row.kind;
  return {
    type: 'event',
    id: row.id,
    at: row.at,
    kind: row.kind,
    text: escapeText(row.n > 1 ? `${known.replace(/\.$/, '')}, ${row.n} times.` : known),
    client: row.client === null ? null : escapeText(row.client),
    grant_id: row.grant_id,
    detail: describeDetail(row.kind, row.detail),
    times: row.n,
  };
}

function describeDetail(kind: string, detail: string | null): string | null {
  const text = kind === 'access_changed' ? (readAccessChange(detail)?.summary ?? null) : detail;
  return text === null ? null : escapeText(text);
}

function splitNames(list: string | null): string[] {
  return list === null ? [] : escapeText(list).split(',');
}

const BY_APP = 'by the app';
const BY_COMMAND = 'on the command line';

/** Events that an app caused itself, where the text of their kind names the owner. */
const byApp: Readonly<Record<string, string>> = {
  revoked: 'The app ended its own access.',
};

const aboutConnections = new Set(['connection_ended', 'imported', 'import_undone', 'connection_removed']);

/** Describes the detail of an event: who caused it, and the name of the connection. */
export function describeEvent(event: EventLine, catalog: Catalog): EventLine {
  const { kind, detail, text } = event;
  if (detail === BY_APP) return { ...event, text: byApp[kind] ?? text, detail: null };
  if (detail === BY_COMMAND)
    return { ...event, text: text.replace(/\.$/, ' on the command line.'), detail: null };
  if (detail === null || !aboutConnections.has(kind)) return event;
  return { ...event, detail: nameConnection(catalog, detail) };
}
