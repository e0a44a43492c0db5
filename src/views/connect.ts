import { isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import type { Guide } from '../guide/connect-guide.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/sqlite/open-store.ts';
import { escapeText } from '../text/escape-text.ts';
import { type Progress, readProgress } from './connect-progress.ts';
import { readPromptSpans, suggestPrompts, type TryPrompt } from './try-prompts.ts';

export interface ConnectView extends Guide {
  readonly time_zone: string;
  readonly now: string;
  /** Apps that have asked or may read; those of the guide at most once. */
  readonly progress: readonly AppProgress[];
  /** The app that was connected last, where one may read now; the questions are for it. */
  readonly prompts_for: { readonly grant_id: string; readonly client: string } | null;
  readonly prompts: readonly TryPrompt[];
}

export interface AppProgress extends Progress {
  /** A question that the app can answer with what it may read. */
  readonly prompt: string | null;
}

const MOST_OTHERS = 5;

/** How to connect an app, and how far each has come. */
export async function viewConnect(store: Store, guide: Guide, now: Date): Promise<ConnectView> {
  const catalog = await loadCatalog(store.read);
  const grants = await listGrants(store.read);
  const spans = await readPromptSpans(store.read, now);
  const progress = await readProgress(store.audit, grants, now);
  const others = progress.filter(({ key }) => key === 'other').slice(0, MOST_OTHERS);
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
