import { AsyncLocalStorage } from 'node:async_hooks';

/** The versions of a store at one moment. */
export interface ReadVersions {
  readonly catalog: number;
  /** The number of the latest change. */
  readonly horizon: number;
}

const known = new AsyncLocalStorage<ReadVersions>();

/**
 * Runs a call with the versions that were read together with its token. They are as old as the call, so an answer never
 * misses what was stored before the call. An engine that reads versions without a round trip returns none with the token.
 */
export function withVersions<T>(versions: ReadVersions | undefined, work: () => Promise<T>): Promise<T> {
  return versions === undefined ? work() : known.run(versions, work);
}

/** Returns the versions of the current call, if they are known. */
export function findVersions(): ReadVersions | undefined {
  return known.getStore();
}
