import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
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
  type StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { AppError } from '../errors.ts';
import { ClientError } from './client-error.ts';
import { explainError } from './explain-error.ts';

/**
 * Forwards messages unchanged between a client on stdio and a server on HTTP. Ends when the input has ended and every
 * request is answered.
 */
export class StdioBridge {
  readonly #server: URL;
  readonly #far: StreamableHTTPClientTransport;
  readonly #near: StdioServerTransport;
  readonly #printError: (text: string) => void;
  readonly #asked = new Map<RequestId, AbortController>();
  readonly #handshakes = new Set<RequestId>();
  /**
   * The transport drops unanswered requests when its input ends, so a script that pipes its requests would get no answers.
   * The end of the input is therefore held back until every request is answered.
   */
  readonly #bufferedInput = new PassThrough();
  #ended = false;

  constructor(
    server: URL,
    far: StreamableHTTPClientTransport,
    ends: { input: Readable; output: Writable; printError(text: string): void },
  ) {
    this.#server = server;
    this.#far = far;
    this.#printError = ends.printError;
    this.#near = new StdioServerTransport(this.#bufferedInput, ends.output);
    ends.input.pipe(this.#bufferedInput, { end: false });
    for (const event of ['end', 'close'])
      ends.input.once(event, () => {
        this.#ended = true;
        // Waits until the last piped messages are read.
        setImmediate(() => this.#endWhenAnswered());
      });
  }

  async run(): Promise<void> {
    this.#near.onmessage = (message) => void this.#ask(message);
    this.#near.onerror = () => this.#printError('A line of the input is not a JSON-RPC message.');
    this.#far.onmessage = (message) => {
      // The 2025 protocol sends the negotiated version in a header of each later request.
      if (isJSONRPCResultResponse(message) && this.#handshakes.delete(message.id))
        this.#far.setProtocolVersion(String(message.result.protocolVersion));
      void this.#answer(message);
    };
    const closed = new Promise<void>((resolve) => {
      this.#near.onclose = resolve;
    });
    await this.#far.start();
    await this.#near.start();
    await closed;
    await this.#far.close();
  }

  async #ask(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCRequest(message)) {
      this.#cancel(message);
      await this.#far.send(message).catch((error) => this.#explain(error));
      return;
    }
    const { id } = message;
    const over = new AbortController();
    this.#asked.set(id, over);
    if (isInitializeRequest(message)) this.#handshakes.add(id);
    const onRequestStreamEnd = () => {
      if (this.#asked.has(id))
        void this.#answer(makeRefusal(id, 'The server closed the connection without an answer.'));
    };
    try {
      await this.#far.send(message, { requestSignal: over.signal, onRequestStreamEnd });
    } catch (error) {
      if (over.signal.aborted) return this.#endWhenAnswered();
      await this.#answer(findAnswer(error, id) ?? makeRefusal(id, this.#explain(error)));
    }
  }

  /** Cancels a request by closing its connection, as MCP over HTTP does. */
  #cancel(message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId as RequestId;
    this.#asked.get(id)?.abort();
    this.#asked.delete(id);
  }

  async #answer(message: JSONRPCMessage): Promise<void> {
    // The client may have disconnected.
    await this.#near.send(message).catch(() => {});
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#asked.delete(message.id);
    this.#endWhenAnswered();
  }

  #endWhenAnswered(): void {
    if (this.#ended && this.#asked.size === 0) this.#bufferedInput.end();
  }

  #explain(error: unknown): string {
    const problem = explainError(error, this.#server);
    const isExplained = problem instanceof AppError || problem instanceof ClientError;
    const text = isExplained ? problem.message : 'The request failed.';
    this.#printError(text);
    return text;
  }
}

/** Returns the JSON-RPC error inside an HTTP error, which the transport reports as a failure. */
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
