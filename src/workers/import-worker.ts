import { parentPort, workerData } from 'node:worker_threads';
import { createSyncRunner } from '../accounts/run/create-runner.ts';
import { createUploadRunner } from '../import/service/run-upload.ts';
import type { Job } from '../import/service/upload-job.ts';
import { createId } from '../secrets/token.ts';
import { loadImporters } from '../sources/load-importers.ts';
import { openThreadStore } from '../store/sqlite/open-store.ts';
import type { FromImportThread, ImportTask, SyncTask, ToImportThread } from './import-messages.ts';
import { lowerPriority } from './lower-priority.ts';
import { sendError } from './thread-errors.ts';

const { directory } = workerData as { readonly directory: string };
const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: FromImportThread) => port.postMessage(message);

/** Niceness: apps wait for reads. Not more, because other writers wait while a batch is stored. */
lowerPriority(5);

const entered = new Map<number, () => void>();
let lastWriter = 0;
/** Enters the queue of the main thread, so that only one of the two threads writes at a time. */
const queue = {
  enter: () =>
    new Promise<() => void>((resolve) => {
      const writer = ++lastWriter;
      entered.set(writer, () => resolve(() => send({ leave: writer })));
      send({ wait: writer });
    }),
};

const store = openThreadStore(directory, queue);
const runner = createUploadRunner({ store, loadImporters, now: () => new Date() });
const syncs = createSyncRunner({
  store,
  onError(error) {
    const id = createId('sync');
    send({ syncError: sendError(error), id });
    return id;
  },
});
const controllers = new Map<number, AbortController>();

async function run({ task, files, view: first, refused: known, decisions }: ImportTask): Promise<void> {
  const controller = new AbortController();
  controllers.set(task, controller);
  let view = first;
  const refused = new Set(known);
  const job: Job = {
    upload: { files, remove: () => {} },
    controller,
    refused,
    get view() {
      return view;
    },
    set view(changed) {
      view = changed;
      send({ task, view });
    },
  };
  let error: unknown;
  try {
    await (decisions === undefined ? runner.check(job) : runner.run(job, decisions));
  } catch (thrown) {
    error = thrown;
  }
  controllers.delete(task);
  send({ task, refused, error: error === undefined ? undefined : sendError(error) });
}

async function sync({ task, account }: SyncTask): Promise<void> {
  const controller = new AbortController();
  controllers.set(task, controller);
  try {
    send({ task, outcome: await syncs(account, controller.signal) });
  } catch (error) {
    send({ task, refused: new Set(), error: sendError(error) });
  }
  controllers.delete(task);
}

port.on('message', (message: ToImportThread) => {
  if ('account' in message) void sync(message);
  else if ('task' in message) void run(message);
  else if ('stop' in message) controllers.get(message.stop)?.abort();
  else {
    entered.get(message.enter)?.();
    entered.delete(message.enter);
  }
});
port.on('close', () => store.close());
