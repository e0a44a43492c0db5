import { AppError } from './errors.ts';

const MOST_BATCHED = 20;

export interface Message {
  readonly method: string;
  readonly id?: string | number;
}

/**
 * The messages of a body, checked for what the protocol library would let through: batches of any length,
 * answers to questions we never ask, and two requests of one id, of which one would go unanswered.
 */
export function checkMessages(body: unknown): Message[] {
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  if (messages.length > MOST_BATCHED) {
    throw new AppError('invalid_argument', `A batch holds at most ${MOST_BATCHED} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) {
    throw new AppError('invalid_argument', 'Each message of a batch must have an id of its own.');
  }
  return messages;
}

/** A stream that listens would outlive its token and has nothing to tell. In a batch it is an unknown method anyway. */
export function refuseListening(body: unknown, messages: readonly Message[]): Response | undefined {
  const [message] = messages;
  if (Array.isArray(body) || message?.method !== 'subscriptions/listen') return undefined;
  const error = { code: -32601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: message.id ?? null, error }, { status: 404 });
}
