import { AppError } from '../errors.ts';
import { runUntilAborted } from '../limits/call-context.ts';
import { hint, toolCall } from '../text/hint.ts';
import type { PerformRead } from './granted-read.ts';

/**
 * Limits how long a read may take, and ends it when its caller disconnects. The read stops at its next statement; its
 * statements have a time limit of their own.
 */
export function withDeadline(perform: PerformRead, deadlineMs: number): PerformRead {
  return async (read, input, options) => {
    const controller = new AbortController();
    const onAbort = () => controller.abort(cancelled());
    if (options.signal?.aborted) throw cancelled();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(timedOut(deadlineMs)), deadlineMs);
    try {
      return await runUntilAborted(controller.signal, () => perform(read, input, options));
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    }
  };
}

export function cancelled(): AppError {
  return new AppError('cancelled', 'The caller cancelled the call or disconnected.');
}

export function timedOut(deadlineMs: number): AppError {
  return new AppError('timeout', `The call took longer than ${deadlineMs / 1_000} seconds and was stopped.`, {
    hint: hint`Ask about less: name one connection_id, add a filter on the time field, or group by fewer fields. ${toolCall('schema')} shows how many records a stream has.`,
  });
}
