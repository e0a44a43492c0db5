import { writeAccessChange } from '../../audit/known-endings.ts';
import { AppError } from '../../errors.ts';
import { changeTerms } from '../../grants/change-grant.ts';
import { type Grant, type GrantedStreamTerms, isLive } from '../../grants/grant.ts';
import { getGrant } from '../../grants/grant-store.ts';
import type { Window } from '../../grants/resolve-grant.ts';
import { type Catalog, findStream, loadCatalog } from '../../schema-index/catalog.ts';

import { NO_TIME } from '../../store/values.ts';
import { toUtc } from '../../time/instant.ts';
import { resourceOf } from '../resource.ts';
import { grantedDetails } from './authorization-details.ts';
import type { ConsentDeps } from './consent.ts';
import { checkChoice, intersect, type Pending } from './consent-choice.ts';
import { createOffer, type HeldAccess } from './consent-offer.ts';
import { describeChange } from './describe-change.ts';
import { formatInstantDay } from './describe-choice.ts';
import { type RequestedStream, readSources } from './requested-streams.ts';
import type { RequestingClient } from './requesting-client.ts';

export interface PendingChange extends Pending {
  readonly grant: Grant;
}

type AccessChangeDeps = Pick<ConsentDeps, 'provider' | 'store' | 'publicUrl' | 'writeEvent' | 'now'>;

export function createAccessChanges(deps: AccessChangeDeps) {
  return {
    /** Returns a live access with everything that can be ticked for it. */
    find: (grantId: string) => findChange(deps, grantId),
    /** Replaces the terms of an access. They apply from the app's next request on. */
    save: (pending: PendingChange, form: URLSearchParams) => saveChange(deps, pending, form),
  };
}

async function findChange(
  { store, publicUrl, now }: AccessChangeDeps,
  grantId: string,
): Promise<PendingChange> {
  const grant = await getGrant(store.read, grantId, noApp);
  if (!isLive(grant, now()))
    throw new AppError('grant_revoked', 'This access has ended. Connect the app again.');
  const catalog = await loadCatalog(store.read);
  const requestedStreams = catalog.streams.map((stream): RequestedStream => {
    const held = grant.streams.find(
      (terms) => terms.connection_id === stream.connection.connection_id && terms.stream === stream.name,
    );
    return {
      stream,
      ...(held === undefined ? {} : { held }),
      ...(held?.keys === undefined ? {} : { keys: held.keys }),
    };
  });
  const offer = createOffer({
    client: describeHolder(grant),
    resource: resourceOf(publicUrl),
    purpose: grant.purpose,
    accessMode: grant.accessMode,
    requested: false,
    held: describeHeld(grant, catalog),
    requestedStreams,
    missing: [],
    catalog,
    spans: await store.read.stored.spans(),
  });
  return { grant, offer, requestedStreams, catalog };
}

async function saveChange(
  deps: AccessChangeDeps,
  pending: PendingChange,
  form: URLSearchParams,
): Promise<void> {
  const { store, writeEvent, now } = deps;
  const { grant, catalog } = pending;
  const { streams, expiresAt } = checkChoice(pending, form, now());
  const about = { clientId: grant.clientId, client: grant.clientName, grantId: grant.grantId };
  const at = now();
  await changeTerms(store.write, grant, { streams, expiresAt }, at, async () => {
    await updateDetails(deps, grant, streams, catalog);
    // Before the change is committed: after a crash the log may know of less access than the store, never of more.
    const summary = describeChange(grant.streams, streams, catalog, 'full');
    await writeEvent(
      { kind: 'access_changed', ...about, detail: writeAccessChange({ summary, terms: streams }) },
      at,
    );
    if (expiresAt?.toISOString() === grant.expiresAt) return;
    const detail = expiresAt === undefined ? 'until revoked' : `until ${expiresAt.toISOString()}`;
    await writeEvent({ kind: 'expiry_changed', ...about, detail }, at);
  });
}

/** Updates the authorization details of an app that requested streams by name. */
async function updateDetails(
  { provider, store }: AccessChangeDeps,
  grant: Grant,
  streams: Grant['streams'],
  catalog: Catalog,
): Promise<void> {
  const known = await provider.Grant.find(grant.grantId);
  if (known?.rar === undefined) return;
  known.rar = [];
  const sources = await readSources(store.read);
  for (const detail of grantedDetails({ ...grant, streams }, sources, catalog)) known.addRar(detail);
  await known.save();
}

/** Describes the client as it was when the access was approved. */
function describeHolder(grant: Grant): RequestingClient {
  return {
    client_id: grant.clientId ?? '',
    name: grant.clientName,
    ...(grant.verifiedHost === undefined ? {} : { verified_host: grant.verifiedHost }),
    redirect_kind: 'web',
    redirect_host: grant.redirectHost ?? '',
    redirect_uris: [],
  };
}

function noApp(): AppError {
  return new AppError('not_found', 'There is no such app.', {
    hint: 'See the Apps page. Ended access is listed there for 90 days.',
  });
}

/** Describes the current access of a grant for the page that changes it. */
function describeHeld(grant: Grant, catalog: Catalog): HeldAccess {
  const windows = grant.streams.map((terms) => readWindowOf(terms, catalog));
  const differ = new Set(windows.map((one) => JSON.stringify([one.since, one.until]))).size > 1;
  const shared = intersect(windows);
  const { timeZone } = catalog;
  const time = describeWindow(shared, timeZone);
  return {
    grant_id: grant.grantId,
    revision: grant.revision ?? null,
    ...shared,
    times_differ: differ,
    time: differ ? `a different period for each stream, ${time} for new ones` : time,
    expires_at: grant.expiresAt ?? null,
    end:
      grant.expiresAt === undefined
        ? 'until revoked'
        : `until ${formatInstantDay(Date.parse(grant.expiresAt), timeZone)}`,
  };
}

/** Returns the window of a stream as instants. Terms over calendar days are stored at midnight UTC of the owner's days. */
function readWindowOf({ connection_id, stream, since, until }: GrantedStreamTerms, catalog: Catalog): Window {
  const isDay = findStream(catalog, connection_id, stream)?.timeField?.kind === 'date';
  const instant = (edge: number) => (isDay ? toUtc(edge, catalog.timeZone) : edge);
  return {
    // A window without a beginning is stored with the earliest possible time.
    ...(since === undefined || since <= NO_TIME + 1 ? {} : { since: instant(since) }),
    ...(until === undefined ? {} : { until: instant(until) }),
  };
}

function describeWindow({ since, until }: Window, timeZone: string): string {
  const parts = [
    ...(since === undefined ? [] : [`from ${formatInstantDay(since, timeZone)}`]),
    ...(until === undefined ? [] : [`to ${formatInstantDay(until - 1, timeZone)}`]),
  ];
  return parts.length === 0 ? 'all time' : parts.join(' ');
}
