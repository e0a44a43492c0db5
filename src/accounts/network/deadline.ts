import type { FetchLimits } from '../network.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the request as too slow. */
  expire(): void;
  /** Releases the timer and the listener. */
  end(): void;
}

/** Creates one signal for the owner's and the time limit. `AbortSignal.any` would collect listeners on a signal of a long run. */
export function createDeadline({ signal, timeoutMs }: FetchLimits): Deadline {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const expire = () => controller.abort(new DOMException('timeout', 'TimeoutError'));
  const timer = setTimeout(expire, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return {
    signal: controller.signal,
    expire,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** Returns whether the caller ended the request, rather than the time limit. */
export function wasStopped(signal: AbortSignal): boolean {
  return signal.aborted && (signal.reason as Error | undefined)?.name !== 'TimeoutError';
}
