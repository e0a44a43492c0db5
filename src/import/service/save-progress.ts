import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_MS = 250;
/** An unchanged job is saved as well, to learn whether the owner has stopped it. */
const SAVE_MS = 1_000;

/**
 * Runs work and saves its progress meanwhile, when `getVersion` returns something new. A failure to save is ignored: the
 * next attempt saves more.
 */
export async function withSavedProgress<T>(
  getVersion: () => unknown,
  save: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const saving = saveUntil(controller.signal, getVersion, save);
  try {
    return await work();
  } finally {
    controller.abort();
    await saving;
  }
}

async function saveUntil(
  signal: AbortSignal,
  getVersion: () => unknown,
  save: () => Promise<void>,
): Promise<void> {
  let saved: unknown;
  let savedAt = performance.now();
  while (!signal.aborted) {
    await sleep(CHECK_MS, undefined, { signal, ref: false }).catch(() => {});
    const version = getVersion();
    if (signal.aborted || (version === saved && performance.now() - savedAt < SAVE_MS)) continue;
    await save().then(
      () => {
        saved = version;
      },
      () => {},
    );
    savedAt = performance.now();
  }
}
