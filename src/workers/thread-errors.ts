import { AppError, type ErrorCode, type Refusal } from '../errors.ts';

/** An error as one thread sends it to another. */
export type SentError =
  | {
      readonly kind: 'refusal';
      readonly code: ErrorCode;
      readonly parts: Refusal['parts'];
      readonly details: Refusal['details'];
    }
  | { readonly kind: 'failure'; readonly stack: string; readonly code: string | undefined };

export function sendError(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, parts, details } = error;
    return { kind: 'refusal', code, parts, details };
  }
  const { stack, code } = error as { stack?: string; code?: string };
  return { kind: 'failure', stack: stack ?? String(error), code };
}

/** Returns an error like the one that was sent. A store error keeps its code. */
export function receiveError(sent: SentError): Error {
  if (sent.kind === 'failure') {
    const { stack, code } = sent;
    return Object.assign(new Error('a thread failed'), { stack, code });
  }
  const { code, parts, details } = sent;
  return new AppError(code, parts.message, { ...details, ...(parts.hint && { hint: parts.hint }) });
}
