import type { Bucket } from './bucket.ts';
import type { SharedBuckets } from './shared-limits.ts';

/** The maximum time until other processes know the tokens that were spent here. */
const INTERVAL_MS = 250;
/** The share of a bucket that may be spent before other processes know of it. Larger amounts are sent immediately. */
const MAX_UNSENT_SHARE = 1 / 20;

/** Called after each change of a bucket, and when one is created. */
export type ShareBucket = (name: string, bucket: Bucket) => void;

/**
 * Synchronizes the token buckets of several processes. Calls do not wait: a background request sends the spent tokens of
 * all buckets and returns their shared levels. While the database cannot be reached, each process counts alone.
 */
export function createBucketSharing(shared: SharedBuckets, now: () => number): ShareBucket {
  /** Buckets whose shared level is known. Buckets that the caller forgets are released. */
  const known = new WeakSet<Bucket>();
  const changed = new Map<string, Bucket>();
  let isSending = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;

  const sendAll = async (batch: readonly Unsent[]) => {
    const spends = batch.map(({ name, amount, bucket: { capacity, perMs } }) => ({
      ...{ name, amount, capacity, perMs },
    }));
    const levels = await shared.spend(spends, now());
    for (const { name, bucket, amount } of batch) {
      bucket.correct(levels.get(name) ?? bucket.capacity, amount, now());
      known.add(bucket);
    }
  };
  const send = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isSending = true;
    const batch = [...changed].map(([name, bucket]) => ({ name, bucket, amount: bucket.unsent }));
    changed.clear();
    try {
      await sendAll(batch);
      hasFailed = false;
    } catch {
      hasFailed = true;
      for (const { name, bucket } of batch) changed.set(name, bucket);
    }
    isSending = false;
    schedule([...changed.values()]);
  };
  const isUrgent = (bucket: Bucket) =>
    !known.has(bucket) || bucket.unsent > bucket.capacity * MAX_UNSENT_SHARE;
  const schedule = (buckets: readonly Bucket[]) => {
    if (isSending || buckets.length === 0) return;
    if (!hasFailed && buckets.some(isUrgent)) void send();
    else timer ??= setTimeout(() => void send(), INTERVAL_MS).unref();
  };
  return (name, bucket) => {
    changed.set(name, bucket);
    schedule([bucket]);
  };
}

interface Unsent {
  readonly name: string;
  readonly bucket: Bucket;
  readonly amount: number;
}
