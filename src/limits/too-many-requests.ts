import { AppError } from '../errors.ts';
import { type Hint, hint } from '../text/hint.ts';

/** A refusal that tells the caller how long to wait. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, waitMs: number, advice: Hint = '') {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super('too_many_requests', message, {
      hint: hint`Try again in ${String(seconds)} ${seconds === 1 ? 'second' : 'seconds'}.${advice && hint` ${advice}`}`,
      retry_after_seconds: seconds,
    });
    this.retryAfterSeconds = seconds;
  }
}
