import type { Place } from './granted-sources.ts';

/** A record as JavaScript: whole numbers beyond 2^53 are bigints. */
export type Data = Readonly<Record<string, unknown>>;

/** One put, or without data one delete. */
export interface Step {
  readonly place: Place;
  readonly key: string;
  readonly data: Data | undefined;
  /** Emitted before everything else, so that it comes too late to change what is stored. */
  readonly stale?: true;
}
