import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Starts a thread of this folder: JavaScript in the build, TypeScript in the source, which Node 20 needs a loader for. */
export function startThread(name: string, workerData: unknown): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const url = new URL(`./${name}${extension}`, import.meta.url);
  if (extension !== '.ts') return new Worker(url, { workerData });
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import('${url}'); })`;
  return new Worker(load, { workerData, eval: true });
}
