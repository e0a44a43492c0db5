import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';

type RemovalKind = 'undo' | 'connection' | 'demo';

/** The result. Undo also restores changed records and keeps those that were changed later. */
interface RemovalOutcome {
  readonly records: number;
  readonly restored: number;
  readonly kept: number;
  readonly connection_removed: boolean;
}

export interface RemovalView {
  readonly id: string;
  readonly kind: RemovalKind;
  readonly title: string;
  /** The id of what is removed. */
  readonly of: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly records: number;
  /** The number of records to process, if it is known. */
  readonly total: number | null;
  readonly outcome: RemovalOutcome | null;
  readonly reason: string | null;
}

export interface RemovalOrder extends Pick<RemovalView, 'kind' | 'title' | 'of' | 'total'> {
  readonly work: (onProgress: (records: number) => void) => Promise<RemovalOutcome>;
}

/** Removes data in the background. The owner can start an interrupted removal again. */
export interface Removals {
  /** Starts a removal, or returns the id of the same one that is under way. */
  begin(order: RemovalOrder): Promise<string>;
  get(id: string): Promise<RemovalView>;
  /** Lists the removals that are under way. */
  list(): Promise<RemovalView[]>;
}

export const MAX_FINISHED_REMOVALS = 100;
export const isUnderWay = ({ state }: RemovalView) => state === 'waiting' || state === 'running';

/** Removals are in memory. `enqueue` queues the work, so that only one job writes a lot at a time. */
export function createRemovals(
  enqueue: <T>(work: () => Promise<T>) => Promise<T>,
  onFailure: (error: unknown) => void,
): Removals {
  const views = new Map<string, RemovalView>();
  const change = (id: string, changes: Partial<RemovalView>) => {
    const view = views.get(id);
    if (view !== undefined) views.set(id, { ...view, ...changes });
  };
  const forgetOld = () => {
    const over = [...views.values()].filter((view) => !isUnderWay(view));
    for (const { id } of over.slice(0, Math.max(0, over.length - MAX_FINISHED_REMOVALS))) views.delete(id);
  };
  return {
    async begin({ work, ...order }) {
      const same = findSame([...views.values()], order);
      if (same !== undefined) return same.id;
      forgetOld();
      const view = createRemoval(order);
      const { id } = view;
      views.set(id, view);
      enqueue(async () => {
        change(id, { state: 'running' });
        const outcome = await work((records) => change(id, { records }));
        change(id, { state: 'done', outcome });
      }).catch((error: unknown) => change(id, describeFailure(error, onFailure)));
      return id;
    },
    async get(id) {
      const view = views.get(id);
      if (view === undefined) throw removalNotFound();
      return view;
    },
    list: async () => [...views.values()].filter(isUnderWay),
  };
}

type Order = Omit<RemovalOrder, 'work'>;

export function createRemoval(order: Order): RemovalView {
  const id = randomBytes(12).toString('hex');
  return { id, ...order, state: 'waiting', records: 0, outcome: null, reason: null };
}

/** Returns the removal of the same data that is under way. */
export function findSame(views: readonly RemovalView[], { kind, of }: Order): RemovalView | undefined {
  return views.find((one) => isUnderWay(one) && one.kind === kind && one.of === of);
}

/** `onFailure` is called for errors that nobody expected. */
export function describeFailure(
  error: unknown,
  onFailure: (error: unknown) => void,
): Pick<RemovalView, 'state' | 'reason'> {
  const expected = error instanceof AppError;
  if (!expected) onFailure(error);
  return { state: 'failed', reason: expected ? error.message : 'The removal failed.' };
}

export function removalNotFound(): AppError {
  return new AppError('not_found', 'Removal not found.', {
    hint: 'The server was restarted. Records that were removed stay removed. You can remove the rest again on the data page.',
  });
}
