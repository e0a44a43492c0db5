import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  type AuthProvider,
  type FetchLike,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { AppError } from '../errors.ts';
import { explainError } from './explain-error.ts';

export interface BridgeEnds {
  readonly input: Readable;
  readonly output: Writable;
  /** For a person; the output is for the protocol alone. */
  complain(text: string): void;
}

/**
 * Carries messages between a client that only speaks stdio and a server that only speaks HTTP, as they
 * are. Ends when the input has ended and everything asked was answered.
 */
export async function bridgeStdio(
  server: URL,
  authProvider: AuthProvider,
  fetchFn: FetchLike,
  { input, output, complain }: BridgeEnds,
): Promise<void> {
  const asked = new Map<RequestId, AbortController>();
  const handshakes = new Set<RequestId>();
  // The transport gives up what is unanswered when its input ends; a script that pipes its questions in
  // and waits would hear nothing. So the end is passed on only when every answer is out.
  const held = new PassThrough();
  let ended = false;
  const endWhenAnswered = () => {
    if (ended && asked.size === 0) held.end();
  };
  input.pipe(held, { end: false });
  input.once('end', () => {
    ended = true;
    endWhenAnswered();
  });

  const near = new StdioServerTransport(held, output);
  const far = new StreamableHTTPClientTransport(server, { authProvider, fetch: fetchFn });
  const answer = async (message: JSONRPCMessage) => {
    await near.send(message);
    if (isJSONRPCResponse(message) && message.id !== undefined) asked.delete(message.id);
    endWhenAnswered();
  };
  const ask = async (message: JSONRPCMessage) => {
    const isRequest = isJSONRPCRequest(message);
    const over = new AbortController();
    if (isRequest) asked.set(message.id, over);
    if (isInitializeRequest(message) && isRequest) handshakes.add(message.id);
    // Over HTTP a question is taken back by hanging up.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId as RequestId;
      asked.get(id)?.abort();
      asked.delete(id);
    }
    try {
      await far.send(message, { requestSignal: over.signal });
    } catch (error) {
      if (over.signal.aborted) return endWhenAnswered();
      const problem = explainError(error, server);
      const text = problem instanceof AppError ? problem.message : 'The server could not be asked.';
      complain(text);
      if (isRequest) await answer(findAnswer(error, message.id) ?? makeRefusal(message.id, text));
    }
  };

  near.onmessage = (message) => void ask(message);
  near.onerror = () => complain('A line of the input was not a message.');
  far.onmessage = (message) => {
    // The 2025 protocol says in a header of each later request what was agreed on at first.
    if (isJSONRPCResultResponse(message) && handshakes.delete(message.id))
      far.setProtocolVersion(String(message.result.protocolVersion));
    void answer(message);
  };
  const closed = new Promise<void>((resolve) => {
    near.onclose = resolve;
  });
  await far.start();
  await near.start();
  await closed;
  await far.close();
}

/** Some answers come with an HTTP status that the transport takes for a failure; they are answers still. */
function findAnswer(error: unknown, id: RequestId): JSONRPCMessage | undefined {
  if (!(error instanceof SdkHttpError)) return undefined;
  try {
    const message: unknown = JSON.parse(String(error.data.text));
    return isJSONRPCErrorResponse(message) && message.id === id ? message : undefined;
  } catch {
    return undefined;
  }
}

function makeRefusal(id: RequestId, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message } };
}
