import { AppError } from '../../errors.ts';

const MAX_BATCHED = 20;

export interface Message {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

/**
 * The messages of a body, checked for what the protocol library would let through: batches of any length,
 * answers to questions we never ask, and two requests of one id, of which one would go unanswered.
 */
export function checkMessages(body: unknown): Message[] {
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  if (messages.length > MAX_BATCHED) {
    throw new AppError('invalid_argument', `A batch holds at most ${MAX_BATCHED} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) {
    throw new AppError('invalid_argument', 'Each message of a batch must have an id of its own.');
  }
  if (Array.isArray(body) && messages.some(({ method }) => method === 'initialize')) {
    throw new AppError('invalid_argument', 'initialize cannot be part of a batch.');
  }
  return messages;
}

/**
 * What the protocol library would answer wrongly. A stream that listens would outlive its token and has nothing to
 * tell; in a batch it is an unknown method anyway. A greeting without its parameters would be called our failure.
 */
export function refuseMessage(
  body: unknown,
  messages: readonly Message[],
  version: string | undefined,
): Response | undefined {
  const [message] = messages;
  if (Array.isArray(body) || message === undefined) return undefined;
  if (message.method === 'subscriptions/listen') return refuse(message, 404, -32601, 'Method not found');
  // From 2026 on there is no such method, and the library says so.
  const hasGreeting = (version ?? '') < '2026';
  if (!hasGreeting || message.method !== 'initialize' || isGreeting(message.params)) return undefined;
  return refuse(message, 400, -32602, 'initialize needs protocolVersion, capabilities and clientInfo.');
}

function isGreeting(params: unknown): boolean {
  const { protocolVersion, capabilities, clientInfo } = (params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  return (
    [protocolVersion, name, version].every((value) => typeof value === 'string') &&
    typeof capabilities === 'object' &&
    capabilities !== null
  );
}

function refuse({ id }: Message, status: number, code: number, message: string): Response {
  // What is not an id is not repeated.
  const ours = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: ours, error: { code, message } }, { status });
}
