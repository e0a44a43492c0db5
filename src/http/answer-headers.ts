import type { MiddlewareHandler } from 'hono';

/** What every answer carries. */
export function answerHeaders(publicUrl: string): readonly (readonly [name: string, value: string])[] {
  return Object.entries({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  });
}

/** Set before the answer is made: adding to a finished one would copy it. */
export function setAnswerHeaders(publicUrl: string): MiddlewareHandler {
  const headers = answerHeaders(publicUrl);
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value);
    await next();
  };
}
