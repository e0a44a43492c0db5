import { AppError } from '../errors.ts';
import { type ExpiryChoice, expiryChoices } from '../grants/expiry-choice.ts';
import { isLive } from '../grants/grant.ts';
import { getGrant } from '../grants/grant-store.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import type { DescribedRead } from './activity/describe-read.ts';
import { describeEvent, type EventLine, toEventLine } from './activity/entries.ts';
import { listLatestReads } from './activity/latest-reads.ts';
import { type AppLine, type DayOfUse, describeApp, readUsage } from './apps.ts';
import { type ConnectionAccess, nameConnection, outlineAccess } from './describe-access.ts';
import { readTryPrompts, type TryPrompt } from './try-prompts.ts';

export interface AppView extends AppLine {
  readonly time_zone: string;
  readonly client_id: string | null;
  /** The host of the redirect address at approval. */
  readonly redirect_host: string | null;
  readonly purpose: string | null;
  readonly connections: readonly ConnectionAccess[];
  readonly ended_connections: readonly { readonly connection_id: string; readonly name: string }[];
  readonly days: readonly DayOfUse[];
  readonly reads: readonly DescribedRead[];
  readonly events: readonly EventLine[];
  readonly expiry_choices: readonly ExpiryChoice[];
  /** Example questions that the app can answer with its current access. */
  readonly prompts: readonly TryPrompt[];
}

const MAX_READ_LINES = 15;
const MAX_EVENTS = 50;

const noApp = () =>
  new AppError('not_found', 'There is no such app.', {
    hint: 'See the Apps page. Ended access is listed there for 90 days.',
  });

/** Describes one approval: its access, use and history. */
export async function viewApp(store: Store, grantId: string, now: Date): Promise<AppView> {
  const grant = await getGrant(store.read, grantId, noApp);
  const catalog = await loadCatalog(store.read);
  const usage = (await readUsage(store.audit, now, catalog.timeZone, grantId))(grantId);
  const lastUse = await store.audit.findLastUse([grantId]);
  const events = await store.audit.listEvents({ grantId }, { order: 'newest', limit: MAX_EVENTS });
  return {
    ...describeApp(grant, catalog, now, usage, lastUse.get(grantId)),
    time_zone: catalog.timeZone,
    client_id: grant.clientId === undefined ? null : escapeText(grant.clientId),
    redirect_host: grant.redirectHost === undefined ? null : escapeText(grant.redirectHost),
    purpose: grant.purpose === undefined ? null : escapeText(grant.purpose),
    connections: outlineAccess(grant, catalog),
    ended_connections: grant.endedConnections.map((connection_id) => ({
      connection_id,
      name: nameConnection(catalog, connection_id),
    })),
    days: usage.days,
    reads: await listLatestReads(store.audit, { grantId }, catalog, MAX_READ_LINES),
    events: events.map((row) => describeEvent(toEventLine(row), catalog)),
    expiry_choices: expiryChoices,
    prompts: isLive(grant, now) ? await readTryPrompts(store.read, catalog, now, grant.streams) : [],
  };
}
