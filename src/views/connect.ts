import { listGrants } from '../grants/grant-store.ts';
import type { Guide } from '../guide/connect-guide.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/open-store.ts';
import { type Progress, readProgress } from './connect-progress.ts';
import { readTryPrompts, type TryPrompt } from './try-prompts.ts';

export interface ConnectView extends Guide {
  readonly time_zone: string;
  readonly now: string;
  /** Apps that have asked or may read; those of the guide at most once. */
  readonly progress: readonly Progress[];
  readonly prompts: readonly TryPrompt[];
}

const MOST_OTHERS = 5;

/** How to connect an app, and how far each has come. */
export async function viewConnect(store: Store, guide: Guide, now: Date): Promise<ConnectView> {
  const catalog = await loadCatalog(store.read);
  const progress = await readProgress(store.audit, await listGrants(store.read), now);
  const others = progress.filter(({ key }) => key === 'other').slice(0, MOST_OTHERS);
  return {
    ...guide,
    time_zone: catalog.timeZone,
    now: now.toISOString(),
    progress: progress.filter((one) => one.key !== 'other' || others.includes(one)),
    prompts: await readTryPrompts(store.read, catalog, now),
  };
}
