import { AppError } from '../errors.ts';

/** Refused for now. Waiting always helps, and the answer says how long. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, waitMs: number, advice = '') {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super('too_many_requests', message, {
      hint: `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.${advice && ` ${advice}`}`,
      retry_after_seconds: seconds,
    });
    this.retryAfterSeconds = seconds;
  }
}
