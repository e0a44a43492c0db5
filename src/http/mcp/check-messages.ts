import { AppError } from '../../errors.ts';

const MAX_BATCH_MESSAGES = 20;

export interface Message {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

/**
 * Returns the messages of a body after checks that the protocol library lacks: the batch size, responses to requests that
 * we never send, and duplicate ids. Of two messages with one id, only one would get a response.
 */
export function checkMessages(body: unknown): Message[] {
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  if (messages.length > MAX_BATCH_MESSAGES) {
    throw new AppError('invalid_argument', `A batch holds at most ${MAX_BATCH_MESSAGES} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) {
    throw new AppError('invalid_argument', 'Each message of a batch must have its own id.');
  }
  if (Array.isArray(body) && messages.some(({ method }) => method === 'initialize')) {
    throw new AppError('invalid_argument', 'initialize cannot be part of a batch.');
  }
  return messages;
}

/**
 * Returns an error response for two messages that the protocol library handles wrongly. A `subscriptions/listen` stream
 * would outlive its token and has no events. `initialize` without parameters would count as a server error.
 */
export function refuseMessage(
  body: unknown,
  messages: readonly Message[],
  version: string | undefined,
): Response | undefined {
  const [message] = messages;
  if (Array.isArray(body) || message === undefined) return undefined;
  if (message.method === 'subscriptions/listen') return refuse(message, 404, -32601, 'Method not found');
  // Versions since 2026 have no initialize, and the library reports that.
  const hasInitialize = (version ?? '') < '2026';
  if (!hasInitialize || message.method !== 'initialize' || isInitializeParams(message.params))
    return undefined;
  return refuse(message, 400, -32602, 'initialize needs protocolVersion, capabilities and clientInfo.');
}

function isInitializeParams(params: unknown): boolean {
  const { protocolVersion, capabilities, clientInfo } = (params ?? {}) as Record<string, unknown>;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  return (
    [protocolVersion, name, version].every((value) => typeof value === 'string') &&
    typeof capabilities === 'object' &&
    capabilities !== null
  );
}

function refuse({ id }: Message, status: number, code: number, message: string): Response {
  // The response does not repeat an invalid id.
  const validId = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: validId, error: { code, message } }, { status });
}
