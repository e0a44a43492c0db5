import { type Grant, isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import { type Catalog, loadCatalog } from '../schema-index/catalog.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import { DAY_MS } from '../time/durations.ts';
import { bucketName, lastEdges, toPeriods } from '../time/time-buckets.ts';
import { describeAccess } from './describe-access.ts';

/** One approval. Pages call it an app. */
export interface AppLine {
  readonly grant_id: string;
  readonly client: string;
  readonly kind: ClientKind;
  /** Who confirmed the name: a verified host, nobody, or the owner on the command line. */
  readonly named_by: 'verified_host' | 'itself' | 'owner';
  readonly verified_host: string | null;
  readonly state: 'live' | 'revoked' | 'expired';
  readonly access: string;
  readonly single_use: boolean;
  readonly connected_at: string;
  readonly expires_at: string | null;
  readonly ended_at: string | null;
  readonly last_used_at: string | null;
  readonly calls_30_days: number;
  /** Records returned. */
  readonly records_30_days: number;
  readonly tokens_30_days: number;
  readonly calls_per_day: readonly number[];
}

export interface AppsView {
  readonly time_zone: string;
  readonly live: readonly AppLine[];
  /** Ended within the last 90 days. */
  readonly ended: readonly AppLine[];
}

const SHOWN_AFTER_END_MS = 90 * DAY_MS;

/** Lists current approvals, last used first, and recently ended ones. */
export async function viewApps(store: Store, now: Date): Promise<AppsView> {
  const catalog = await loadCatalog(store.read);
  const grants = await listGrants(store.read);
  const usageOf = await readUsage(store.audit, now, catalog.timeZone);
  const lastUse = await store.audit.findLastUse(grants.map((grant) => grant.grantId));
  const lines = grants.map((grant) =>
    describeApp(grant, catalog, now, usageOf(grant.grantId), lastUse.get(grant.grantId)),
  );
  const latestTime = (line: AppLine) => line.ended_at ?? line.last_used_at ?? line.connected_at;
  const sorted = lines.toSorted((a, b) => (latestTime(a) < latestTime(b) ? 1 : -1));
  return {
    time_zone: catalog.timeZone,
    live: sorted.filter((line) => line.state === 'live'),
    ended: sorted.filter(
      ({ ended_at }) => ended_at !== null && now.getTime() - Date.parse(ended_at) < SHOWN_AFTER_END_MS,
    ),
  };
}

export function describeApp(
  grant: Grant,
  catalog: Catalog,
  now: Date,
  usage: Usage,
  lastUsedAt: string | undefined,
): AppLine {
  const state = isLive(grant, now) ? 'live' : grant.revokedAt === undefined ? 'expired' : 'revoked';
  return {
    grant_id: grant.grantId,
    client: escapeText(grant.clientName),
    kind: recogniseKind(grant.clientName, grant.clientId),
    named_by:
      grant.clientId === undefined ? 'owner' : grant.verifiedHost === undefined ? 'itself' : 'verified_host',
    verified_host: grant.verifiedHost === undefined ? null : escapeText(grant.verifiedHost),
    state,
    access: describeAccess(grant, catalog, state === 'live' ? 'with expiry' : 'ended'),
    single_use: grant.accessMode === 'single_use',
    connected_at: grant.createdAt,
    expires_at: grant.expiresAt ?? null,
    ended_at: state === 'live' ? null : (grant.revokedAt ?? grant.expiresAt ?? null),
    last_used_at: lastUsedAt ?? null,
    calls_30_days: usage.calls,
    records_30_days: usage.records,
    tokens_30_days: usage.tokens,
    calls_per_day: usage.days.map((day) => day.calls),
  };
}

export const USAGE_DAYS = 30;

export interface DayOfUse {
  readonly day: string;
  readonly calls: number;
  readonly records: number;
  readonly tokens: number;
}

export interface Usage {
  readonly calls: number;
  readonly records: number;
  readonly tokens: number;
  readonly days: readonly DayOfUse[];
}

/** Counts the use of each grant in the last 30 days of the owner's calendar, today included. */
export async function readUsage(
  audit: AuditStore,
  now: Date,
  timeZone: string,
  grantId?: string,
): Promise<(grantId: string) => Usage> {
  const edges = lastEdges(0, now.getTime(), 'day', timeZone, USAGE_DAYS);
  const names = edges.slice(0, -1).map((start) => bucketName(start, 'day', timeZone));
  const counts = await audit.countReads(toPeriods(edges), grantId === undefined ? {} : { grantId });
  return (id) => {
    const used = names.map((day) => ({ day, calls: 0, records: 0, tokens: 0 }));
    for (const { period, grant_id, calls, records, tokens } of counts) {
      const day = used[period];
      if (grant_id !== id || day === undefined) continue;
      day.calls += calls;
      day.records += records;
      day.tokens += tokens;
    }
    return {
      calls: used.reduce((sum, day) => sum + day.calls, 0),
      records: used.reduce((sum, day) => sum + day.records, 0),
      tokens: used.reduce((sum, day) => sum + day.tokens, 0),
      days: used,
    };
  };
}

export type ClientKind = 'CLI' | 'IDE' | 'assistant' | 'app';

/** The first match wins: Codex signs in under chatgpt.com, and Claude Code contains the assistant's name. */
const kindPatterns: readonly [ClientKind, RegExp][] = [
  ['CLI', /claude[ _-]?code|codex|copilot[ _-]cli|gemini[ _-]cli|opencode|goose|aider|\bpdpp\b|\bcli\b/i],
  [
    'IDE',
    /cursor|vs ?code|vscode|visual studio|windsurf|\bzed\b|jetbrains|intellij|cline|kiro|continue\.dev/i,
  ],
  ['assistant', /chatgpt|claude|gemini|copilot|perplexity|mistral|le chat|librechat|open webui|grok/i],
];

/** Guesses the kind of program from its name and id. It is a label, never a reason to trust the client. */
export function recogniseKind(clientName: string, clientId?: string): ClientKind {
  const text = `${clientId ?? ''} ${clientName}`;
  return kindPatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'app';
}
