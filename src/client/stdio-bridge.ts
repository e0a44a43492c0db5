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
 * Carries messages between a client that only speaks stdio and a server that only speaks HTTP, as they
 * are. Ends when the input has ended and everything asked was answered.
 */
export class StdioBridge {
  readonly #server: URL;
  readonly #far: StreamableHTTPClientTransport;
  readonly #near: StdioServerTransport;
  readonly #complain: (text: string) => void;
  readonly #asked = new Map<RequestId, AbortController>();
  readonly #handshakes = new Set<RequestId>();
  /**
   * The transport gives up what is unanswered when its input ends; a script that pipes its questions in
   * would hear nothing. So the end is passed on to it only when every answer is out.
   */
  readonly #held = new PassThrough();
  #ended = false;

  constructor(
    server: URL,
    far: StreamableHTTPClientTransport,
    ends: { input: Readable; output: Writable; complain(text: string): void },
  ) {
    this.#server = server;
    this.#far = far;
    this.#complain = ends.complain;
    this.#near = new StdioServerTransport(this.#held, ends.output);
    ends.input.pipe(this.#held, { end: false });
    for (const event of ['end', 'close'])
      ends.input.once(event, () => {
        this.#ended = true;
        // What was piped in last is read first.
        setImmediate(() => this.#endWhenAnswered());
      });
  }

  async run(): Promise<void> {
    this.#near.onmessage = (message) => void this.#ask(message);
    this.#near.onerror = () => this.#complain('A line of the input was not a message.');
    this.#far.onmessage = (message) => {
      // The 2025 protocol repeats in a header of each later request what was agreed on at first.
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
      this.#takeBack(message);
      await this.#far.send(message).catch((error) => this.#explain(error));
      return;
    }
    const { id } = message;
    const over = new AbortController();
    this.#asked.set(id, over);
    if (isInitializeRequest(message)) this.#handshakes.add(id);
    const onRequestStreamEnd = () => {
      if (this.#asked.has(id)) void this.#answer(makeRefusal(id, 'The server ended without an answer.'));
    };
    try {
      await this.#far.send(message, { requestSignal: over.signal, onRequestStreamEnd });
    } catch (error) {
      if (over.signal.aborted) return this.#endWhenAnswered();
      await this.#answer(findAnswer(error, id) ?? makeRefusal(id, this.#explain(error)));
    }
  }

  /** Over HTTP a question is taken back by hanging up. */
  #takeBack(message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId as RequestId;
    this.#asked.get(id)?.abort();
    this.#asked.delete(id);
  }

  async #answer(message: JSONRPCMessage): Promise<void> {
    // Whoever asked may have gone; then there is nobody to tell.
    await this.#near.send(message).catch(() => {});
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#asked.delete(message.id);
    this.#endWhenAnswered();
  }

  #endWhenAnswered(): void {
    if (this.#ended && this.#asked.size === 0) this.#held.end();
  }

  #explain(error: unknown): string {
    const problem = explainError(error, this.#server);
    const isExplained = problem instanceof AppError || problem instanceof ClientError;
    const text = isExplained ? problem.message : 'The server could not be asked.';
    this.#complain(text);
    return text;
  }
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
