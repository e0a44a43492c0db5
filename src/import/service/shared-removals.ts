import { type JobStore, jobLease, type LeaseStore, type StoredJob } from '../../store/shared-state.ts';
import {
  createRemoval,
  describeFailure,
  findSame,
  isUnderWay,
  type RemovalOrder,
  type Removals,
  type RemovalView,
  removalNotFound,
} from './removals.ts';
import { withSavedProgress } from './save-progress.ts';

export interface SharedRemovals extends Removals {
  /** Marks a removal as failed, because its process has ended. */
  fail(id: string): Promise<void>;
}

interface SharedRemovalDeps {
  readonly jobs: JobStore;
  readonly leases: LeaseStore;
  /** Queues work, so that only one job of all processes writes a lot at a time. */
  readonly enqueue: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called with work that goes on in the background. */
  readonly track: (work: Promise<unknown>) => void;
  readonly onFailure: (error: unknown) => void;
  readonly now: () => Date;
}

const UNDER_WAY = ['waiting', 'running'];
const parse = ({ view }: StoredJob) => JSON.parse(view) as RemovalView;
const toRow = (view: RemovalView) => ({ state: view.state, view: JSON.stringify(view), detail: '{}' });

/** Removals that all processes list. The process that receives the request runs the removal. */
export function createSharedRemovals(deps: SharedRemovalDeps): SharedRemovals {
  const { jobs, leases, now } = deps;
  const list = async () => (await jobs.list('removal')).map(parse).filter(isUnderWay);
  return {
    list,
    async begin({ work, ...order }) {
      const same = findSame(await list(), order);
      if (same !== undefined) return same.id;
      const view = createRemoval(order);
      await new Promise<void>((resolve, reject) => {
        // The lease is taken first: without one, another process would consider the removal interrupted.
        const done = leases.tryRun(jobLease(view.id), async () => {
          await jobs.add({ id: view.id, kind: 'removal', ...toRow(view) }, now());
          resolve();
          await runRemoval(deps, view, work);
        });
        deps.track(done.catch(reject));
      });
      return view.id;
    },
    async get(id) {
      const job = await jobs.find(id);
      if (job?.kind !== 'removal') throw removalNotFound();
      return parse(job);
    },
    async fail(id) {
      const job = await jobs.find(id);
      if (job === undefined) return;
      const reason = 'The server was stopped. Remove the rest again on the data page.';
      await jobs.change(id, UNDER_WAY, toRow({ ...parse(job), state: 'failed', reason }), now());
    },
  };
}

async function runRemoval(
  { jobs, enqueue, onFailure, now }: SharedRemovalDeps,
  waiting: RemovalView,
  work: RemovalOrder['work'],
): Promise<void> {
  let view = waiting;
  const change = (changes: Partial<RemovalView>) => {
    view = { ...view, ...changes };
  };
  const save = async () => void (await jobs.save(view.id, toRow(view), now()));
  await withSavedProgress(
    () => view,
    save,
    () =>
      enqueue(async () => {
        change({ state: 'running' });
        const outcome = await work((records) => change({ records }));
        change({ state: 'done', outcome });
      }).catch((error: unknown) => change(describeFailure(error, onFailure))),
  );
  await save();
}
