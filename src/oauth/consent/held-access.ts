import type { Grant, GrantedStreamTerms } from '../../grants/grant.ts';
import type { Window } from '../../grants/resolve-grant.ts';
import { type Catalog, findStream } from '../../schema-index/catalog.ts';
import { NO_TIME } from '../../store/values.ts';
import { formatDay } from '../../time/format-day.ts';
import { toLocal, toUtc } from '../../time/instant.ts';
import type { HeldAccess } from './consent-offer.ts';

/** Describes the access that a grant gives now, as the page that changes it shows it. */
export function describeHeld(grant: Grant, catalog: Catalog): HeldAccess {
  const windows = grant.streams.map((terms) => readWindowOf(terms, catalog));
  const since = windows.reduce((last, one) => Math.max(last, one.since ?? -Infinity), -Infinity);
  const until = windows.reduce((first, one) => Math.min(first, one.until ?? Infinity), Infinity);
  const differ = new Set(windows.map((one) => JSON.stringify([one.since, one.until]))).size > 1;
  const shared: Window = {
    ...(since === -Infinity ? {} : { since }),
    ...(until === Infinity ? {} : { until }),
  };
  const { timeZone } = catalog;
  const time = describeWindow(shared, timeZone);
  return {
    grant_id: grant.grantId,
    revision: grant.revision ?? null,
    ...shared,
    times_differ: differ,
    time: differ ? `each stream its own time, new streams ${time}` : time,
    expires_at: grant.expiresAt ?? null,
    end:
      grant.expiresAt === undefined ? 'until revoked' : `until ${day(Date.parse(grant.expiresAt), timeZone)}`,
  };
}

/** The window of a stream as instants. Terms over calendar days are stored at midnight UTC of the owner's days. */
function readWindowOf({ connection_id, stream, since, until }: GrantedStreamTerms, catalog: Catalog): Window {
  const isDay = findStream(catalog, connection_id, stream)?.timeField?.kind === 'date';
  const instant = (edge: number) => (isDay ? toUtc(edge, catalog.timeZone) : edge);
  return {
    // A window without a beginning is stored with the first moment there is.
    ...(since === undefined || since <= NO_TIME + 1 ? {} : { since: instant(since) }),
    ...(until === undefined ? {} : { until: instant(until) }),
  };
}

function describeWindow({ since, until }: Window, timeZone: string): string {
  const parts = [
    ...(since === undefined ? [] : [`from ${day(since, timeZone)}`]),
    ...(until === undefined ? [] : [`to ${day(until - 1, timeZone)}`]),
  ];
  return parts.length === 0 ? 'all time' : parts.join(' ');
}

function day(at: number, timeZone: string): string {
  return formatDay(toLocal(at, timeZone));
}
