import { type Grant, isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import type { Guide } from '../guide/connect-guide.ts';
import type { ClientKey } from '../guide/guide-clients.ts';
import { recogniseClient } from '../guide/recognise-client.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { AuditStore, StoredEvent } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import { DAY_MS } from '../time/durations.ts';
import { readPromptSpans, suggestPrompts, type TryPrompt } from './try-prompts.ts';

export interface ConnectView extends Guide {
  readonly time_zone: string;
  readonly now: string;
  /** Apps that asked or have access. Each app of the guide appears at most once. */
  readonly progress: readonly AppProgress[];
  /** The most recently connected app; the example questions are for it. */
  readonly prompts_for: { readonly grant_id: string; readonly client: string } | null;
  readonly prompts: readonly TryPrompt[];
}

export interface AppProgress extends Progress {
  /** An example question that the app can answer. */
  readonly prompt: string | null;
}

const MAX_OTHER_CLIENTS = 5;

/** Returns the connect guide with the progress of each app. */
export async function viewConnect(store: Store, guide: Guide, now: Date): Promise<ConnectView> {
  const catalog = await loadCatalog(store.read);
  const grants = await listGrants(store.read);
  const spans = await readPromptSpans(store.read, now);
  const progress = await readProgress(store.audit, grants, now);
  const others = progress.filter(({ key }) => key === 'other').slice(0, MAX_OTHER_CLIENTS);
  const live = grants.filter((grant) => isLive(grant, now));
  const latest = live.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  const promptsOf = (grantId: string | null) => {
    const grant = live.find((one) => one.grantId === grantId);
    return grant === undefined ? [] : suggestPrompts(catalog, spans, grant.streams);
  };
  return {
    ...guide,
    time_zone: catalog.timeZone,
    now: now.toISOString(),
    progress: progress
      .filter((one) => one.key !== 'other' || others.includes(one))
      .map((one) => ({ ...one, prompt: promptsOf(one.grant_id)[0]?.prompt ?? null })),
    prompts_for:
      latest === undefined ? null : { grant_id: latest.grantId, client: escapeText(latest.clientName) },
    prompts: latest === undefined ? suggestPrompts(catalog, spans) : promptsOf(latest.grantId),
  };
}

/** The progress of one app. Times are null for steps not reached. */
export interface Progress {
  readonly key: ClientKey;
  readonly client: string;
  readonly state: 'asked' | 'denied' | 'approved' | 'listed' | 'called' | 'ended';
  readonly grant_id: string | null;
  /** Connections it may read now. */
  readonly connections: readonly string[];
  readonly asked_at: string | null;
  readonly approved_at: string | null;
  readonly listed_at: string | null;
  readonly called_at: string | null;
  /** When this state began. */
  readonly since: string;
}

const LOOK_BACK = 30 * DAY_MS;
const MAX_EVENTS = 1_000;
const around = ['registered', 'asked', 'denied'] as const;

/** Lists apps that asked in the last 30 days or have access, the latest first. */
async function readProgress(audit: AuditStore, grants: readonly Grant[], now: Date): Promise<Progress[]> {
  const from = new Date(now.getTime() - LOOK_BACK).toISOString();
  const newest = await audit.listEvents({ from, kinds: around }, { order: 'newest', limit: MAX_EVENTS });
  const events = newest.toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
  const apps = new Map<string, { key: ClientKey; client: string; grants: Grant[]; events: StoredEvent[] }>();
  const appOf = (clientId: string | null | undefined, name: string | null) => {
    const key = recogniseClient(clientId, name);
    const client = name ?? 'Unnamed app';
    // Apps of the guide are one line each. Others are distinguished by the name they gave.
    const id = key === 'other' ? client : key;
    const app = apps.get(id) ?? { key, client, grants: [], events: [] };
    apps.set(id, app);
    return app;
  };
  for (const grant of grants) appOf(grant.clientId, grant.clientName).grants.push(grant);
  for (const event of events) appOf(event.client_id, event.client).events.push(event);
  const found = await Promise.all([...apps.values()].map((app) => follow(audit, app, now)));
  return found.flatMap((one) => one ?? []).toSorted((a, b) => (a.since < b.since ? 1 : -1));
}

async function follow(
  audit: AuditStore,
  app: { key: ClientKey; client: string; grants: readonly Grant[]; events: readonly StoredEvent[] },
  now: Date,
): Promise<Progress | undefined> {
  const byAge = app.grants.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const grant = byAge.find((one) => isLive(one, now)) ?? byAge[0];
  const asked = app.events.find(({ kind }) => kind !== 'denied');
  const denied = app.events.find(({ kind }) => kind === 'denied');
  const base = {
    key: app.key,
    client: escapeText(app.client),
    connections: [],
    listed_at: null,
    called_at: null,
  };
  if (grant !== undefined && isLive(grant, now)) {
    const { listed_at, called_at } = await readUse(audit, grant.grantId);
    const before = app.events.find(({ kind, at }) => kind !== 'denied' && at <= grant.createdAt);
    return {
      ...base,
      state: called_at !== null ? 'called' : listed_at !== null ? 'listed' : 'approved',
      grant_id: grant.grantId,
      connections: [...new Set(grant.streams.map((stream) => stream.connection_id))],
      asked_at: before?.at ?? null,
      approved_at: grant.createdAt,
      listed_at,
      called_at,
      since: called_at ?? listed_at ?? grant.createdAt,
    };
  }
  const endedAt = grant && (grant.revokedAt ?? grant.expiresAt);
  const [latest, state] =
    denied !== undefined && denied.at >= (asked?.at ?? '')
      ? [denied.at, 'denied' as const]
      : [asked?.at, 'asked' as const];
  if (latest !== undefined && latest > (endedAt ?? '')) {
    return {
      ...base,
      state,
      grant_id: null,
      asked_at: asked?.at ?? latest,
      approved_at: null,
      since: latest,
    };
  }
  // An access that ended long ago is history, not progress.
  if (grant === undefined || endedAt === undefined || now.getTime() - Date.parse(endedAt) > LOOK_BACK)
    return undefined;
  const { createdAt, grantId } = grant;
  return {
    ...base,
    state: 'ended',
    grant_id: grantId,
    asked_at: null,
    approved_at: createdAt,
    since: endedAt,
  };
}

async function readUse(
  audit: AuditStore,
  grantId: string,
): Promise<{ listed_at: string | null; called_at: string | null }> {
  const [listed] = await audit.listEvents({ grantId, kinds: ['listed'] }, { order: 'oldest', limit: 1 });
  const calledAt = await audit.findFirstUse(grantId);
  return { listed_at: listed?.at ?? null, called_at: calledAt ?? null };
}
