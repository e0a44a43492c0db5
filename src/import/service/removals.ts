import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';

export type RemovalKind = 'undo' | 'connection' | 'demo';

/** What became of it. Undoing also puts back what the import had changed, and leaves what was changed since. */
export interface RemovalOutcome {
  readonly records: number;
  readonly restored: number;
  readonly kept: number;
  readonly connection_removed: boolean;
}

export interface RemovalView {
  readonly id: string;
  readonly kind: RemovalKind;
  readonly title: string;
  /** What it is that goes, as an address knows it. */
  readonly of: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly records: number;
  /** How many there are to go through, where that is known. */
  readonly total: number | null;
  readonly outcome: RemovalOutcome | null;
  readonly reason: string | null;
}

export interface RemovalOrder extends Pick<RemovalView, 'kind' | 'title' | 'of' | 'total'> {
  readonly work: (onProgress: (records: number) => void) => Promise<RemovalOutcome>;
}

/** Takes things out beside the request that asked for it. Kept in memory: one that a restart broke off is asked for again. */
export interface Removals {
  /** Begins, or gives the one that is under way already. */
  begin(order: RemovalOrder): string;
  get(id: string): RemovalView;
  list(): RemovalView[];
}

export interface RemovalDeps {
  /** Only one that writes a lot at a time. */
  readonly enqueue: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onFailure: (error: unknown) => void;
}

const MAX_REMEMBERED = 100;
const isUnderWay = ({ state }: RemovalView) => state === 'waiting' || state === 'running';

export function createRemovals({ enqueue, onFailure }: RemovalDeps): Removals {
  const views = new Map<string, RemovalView>();
  const change = (id: string, changes: Partial<RemovalView>) => {
    const view = views.get(id);
    if (view !== undefined) views.set(id, { ...view, ...changes });
  };
  const forgetOld = () => {
    const over = [...views.values()].filter((view) => !isUnderWay(view));
    for (const { id } of over.slice(0, Math.max(0, over.length - MAX_REMEMBERED))) views.delete(id);
  };
  return {
    begin({ work, kind, title, of, total }) {
      const same = [...views.values()].find((one) => isUnderWay(one) && one.kind === kind && one.of === of);
      if (same !== undefined) return same.id;
      forgetOld();
      const id = randomBytes(12).toString('hex');
      views.set(id, {
        ...{ id, kind, title, of, total },
        ...{ state: 'waiting', records: 0, outcome: null, reason: null },
      });
      enqueue(async () => {
        change(id, { state: 'running' });
        const outcome = await work((records) => change(id, { records }));
        change(id, { state: 'done', outcome });
      }).catch((error: unknown) => {
        const expected = error instanceof AppError;
        if (!expected) onFailure(error);
        change(id, {
          state: 'failed',
          reason: expected ? error.message : 'It could not be gone through with.',
        });
      });
      return id;
    },
    get(id) {
      const view = views.get(id);
      if (view === undefined)
        throw new AppError('not_found', 'Nothing is known of this removal any more.', {
          hint: 'The server was started anew since. What had been taken out stays out; what the data page still lists is there, and can be removed again.',
        });
      return view;
    },
    list: () => [...views.values()].filter(isUnderWay),
  };
}
