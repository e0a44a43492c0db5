import { parentPort, workerData } from 'node:worker_threads';
import { extractText } from './extract-text.ts';
import { limitBuffers } from './limit-buffers.ts';
import type { TextLimits } from './text-limits.ts';
import type { TextJob } from './text-pool.ts';

const { limits } = workerData as { readonly limits: TextLimits };
const port = parentPort as NonNullable<typeof parentPort>;

limitBuffers(limits.bufferBytes);
port.on('message', async ({ bytes, name, mediaType }: TextJob) => {
  port.postMessage(await extractText(bytes, name, mediaType, limits));
});
port.postMessage('ready');
