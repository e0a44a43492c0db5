import { AppError } from './errors.ts';

const MOST_BATCHED = 20;

/**
 * What the protocol library would let through: batches of any length, answers to questions we never ask,
 * and listening streams, which would outlive their token and have nothing to tell.
 */
export function checkMessages(body: unknown): Response | undefined {
  const messages = (Array.isArray(body) ? body : [body]) as { method?: unknown; id?: unknown }[];
  if (messages.length > MOST_BATCHED) {
    throw new AppError('invalid_argument', `A batch holds at most ${MOST_BATCHED} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const listen = messages.find((message) => message.method === 'subscriptions/listen');
  if (listen === undefined) return undefined;
  const error = { code: -32601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: listen.id ?? null, error }, { status: 404 });
}
