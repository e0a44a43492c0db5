/** At most `max` attempts within a sliding window. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export interface ThrottleRule {
  readonly perAddress: Limit;
  /** Has a shorter window than `perAddress`: many unknown callers make everyone wait, but not for long. */
  readonly total: Limit;
}

/** Attempts that several processes count together. Times are milliseconds since 1970. */
export interface SharedAttempts {
  /** Counts an attempt, under a key or only in the total. Returns a function that removes it, or the time to wait. */
  add(
    throttle: string,
    key: string | undefined,
    rule: ThrottleRule,
    time: number,
  ): Promise<{ readonly remove: () => Promise<void> } | { readonly waitMs: number }>;
}

/** What was taken from a token bucket since the last time. */
export interface BucketSpend {
  readonly name: string;
  readonly amount: number;
  readonly capacity: number;
  readonly perMs: number;
}

/** Token buckets that several processes take from. */
export interface SharedBuckets {
  /** Takes from the buckets, and returns their levels by name. */
  spend(spends: readonly BucketSpend[], time: number): Promise<ReadonlyMap<string, number>>;
}
