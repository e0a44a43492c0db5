import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../workers/lower-priority.ts';
import { extractText } from './extract-text.ts';
import { limitBuffers } from './limit-buffers.ts';
import type { TextLimits } from './text-limits.ts';
import type { TextJob } from './text-pool.ts';

const { limits } = workerData as { readonly limits: TextLimits };
const port = parentPort as NonNullable<typeof parentPort>;

/** Niceness: nobody waits for the text of a file. */
lowerPriority(10);
limitBuffers(limits.bufferBytes);
port.on('message', async ({ bytes, name, mediaType }: TextJob) => {
  port.postMessage(await extractText(bytes, name, mediaType, limits));
});
port.postMessage('ready');
