import { parentPort, workerData } from 'node:worker_threads';
import type { Grant } from '../grants/grant.ts';
import { createPerformer, type GrantedRead } from '../reads/granted-read.ts';
import { interruptWhen } from '../store/sqlite/interrupt.ts';
import { openReadStore } from '../store/sqlite/open-store.ts';
import { tools } from '../tools/index.ts';
import { connectionPage, dataPage } from '../views/data.ts';
import { recordsPage } from '../views/records.ts';
import { csvChunk } from '../views/records-csv.ts';
import { searchPage } from '../views/search-hits.ts';
import type { Dictionary } from '../words/spellings.ts';
import { type FromWorker, type Job, MAX_GRANTS, type ToWorker, type WorkerSettings } from './messages.ts';
import { sendError } from './thread-errors.ts';

const { directory, cursorKey, origin, stopped } = workerData as WorkerSettings;
const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: FromWorker) => port.postMessage(message);

const lookups = new Map<number, (words: string[]) => void>();
let lastLookup = 0;
const lookUp = (method: keyof Dictionary) => (word: string) =>
  new Promise<string[]>((resolve) => {
    lookups.set(++lastLookup, resolve);
    send({ lookup: lastLookup, method, word });
  });

const { read, close } = openReadStore(directory);
const perform = createPerformer({
  store: read,
  cursorKey,
  origin,
  dictionary: { findSimilar: lookUp('findSimilar'), findContaining: lookUp('findContaining') },
});
const reads: readonly GrantedRead<never, object>[] = [
  ...tools,
  csvChunk,
  dataPage,
  connectionPage,
  recordsPage,
  searchPage,
];
/** Grants by number, so that the reader of a grant keeps its caches between jobs. */
const grants = new Map<number, Grant>();
let current = 0;
interruptWhen(() => Atomics.load(stopped, 0) === current);

async function run({ job, tool: name, input, grantNumber, grant: sent, requestId, now }: Job): Promise<void> {
  current = job;
  if (grantNumber !== undefined && sent !== undefined) {
    if (grants.size >= MAX_GRANTS) grants.clear();
    grants.set(grantNumber, sent);
  }
  const tool = reads.find((one) => (one.inWorker ?? one.name) === name);
  const grant = grantNumber === undefined ? undefined : grants.get(grantNumber);
  try {
    if (tool === undefined || (grantNumber !== undefined && grant === undefined))
      throw new Error('the job names a tool or a grant that this worker does not have');
    const { text, tokens, disclosure } = await perform(tool, input, { grant, requestId, now: new Date(now) });
    send({ job, text, tokens, disclosure });
  } catch (error) {
    send({ job, error: sendError(error) });
  }
}

port.on('message', (message: ToWorker) => {
  if ('job' in message) void run(message);
  else {
    lookups.get(message.lookup)?.([...message.words]);
    lookups.delete(message.lookup);
  }
});
port.on('close', close);
send('ready');
