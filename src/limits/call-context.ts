import { AsyncLocalStorage } from 'node:async_hooks';

/** The signal and the versions of the current call, for code that is too far below to take them as arguments. */
const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work, and rejects with the reason of the signal as soon as it is aborted. */
export function runUntilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    signals
      .run(signal, work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Throws the reason if the work that the caller belongs to was aborted. */
export function throwIfAborted(): void {
  signals.getStore()?.throwIfAborted();
}

/** Returns the signal of the call that the caller belongs to, if any. It identifies the call. */
export function findCallSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** The versions of a store at one moment. */
export interface ReadVersions {
  readonly catalog: number;
  /** The number of the latest change. */
  readonly horizon: number;
}

const versionsOfCall = new AsyncLocalStorage<ReadVersions>();

/**
 * Runs a call with the versions that were read together with its token. They are as old as the call, so an answer never
 * misses what was stored before the call. An engine that reads versions without a round trip returns none with the token.
 */
export function withVersions<T>(versions: ReadVersions, work: () => Promise<T>): Promise<T> {
  return versionsOfCall.run(versions, work);
}

/** Returns the versions of the current call, if they are known. */
export function findVersions(): ReadVersions | undefined {
  return versionsOfCall.getStore();
}
