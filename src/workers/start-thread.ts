import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * Starts a thread from a file of this folder. In the source tree the file is TypeScript, for which Node 20 needs a loader.
 */
export function startThread(name: string, workerData: unknown, resourceLimits?: ResourceLimits): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const url = new URL(`./${name}${extension}`, import.meta.url);
  const options = { workerData, ...(resourceLimits && { resourceLimits }) };
  if (extension !== '.ts') return new Worker(url, options);
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import('${url}'); })`;
  return new Worker(load, { ...options, eval: true });
}
