import { MAX_MESSAGE_BYTES } from '../../sources/mail/split-mbox.ts';
import type { SyncContext } from '../sync-source.ts';
import { ImapClient } from './imap-client.ts';
import { explainImapError, tooLarge, tooSlow } from './imap-errors.ts';
import { readSettings } from './imap-settings.ts';

/** How long a server may take. Tests shorten the times. */
export interface ImapTimes {
  readonly connectMs: number;
  /** Without a byte from the server. On a busy machine, reading what has arrived counts too. */
  readonly silenceMs: number;
  readonly commandMs: number;
  /** For one batch of mails. */
  readonly fetchMs: number;
  /** How long one connection waits for changes. */
  readonly watchMs: number;
  /** How often a server without IDLE is polled, and how often IDLE is renewed. */
  readonly idleMs: number;
}

export const IMAP_TIMES: ImapTimes = {
  connectMs: 20_000,
  silenceMs: 2 * 60_000,
  commandMs: 5 * 60_000,
  fetchMs: 10 * 60_000,
  watchMs: 25 * 60_000,
  idleMs: 5 * 60_000,
};

const MEBIBYTE = 2 ** 20;
/** Headers, flags and labels beside the text of a mail. */
const OVERHEAD_BYTES = MEBIBYTE;
const MAX_LINE_BYTES = 4 * MEBIBYTE;
const MAX_COMMAND_BYTES = 16 * MEBIBYTE;
const CHECK_MS = 250;

interface Bounds {
  readonly ms?: number;
  /** The maximum number of bytes that the server may send for the command. */
  readonly bytes?: number;
}

/** One connection to a mail server. Every command has a deadline and a byte limit; breaking them closes the connection. */
export class ImapSession {
  readonly client: ImapClient;
  readonly #server: string;
  readonly #signal: AbortSignal;
  readonly #times: ImapTimes;
  #failure: unknown;
  #expunges = 0;

  private constructor(client: ImapClient, server: string, signal: AbortSignal, times: ImapTimes) {
    this.client = client;
    this.#server = server;
    this.#signal = signal;
    this.#times = times;
    client.on('error', (error) => {
      this.#failure ??= error;
    });
    client.on('expunge', () => {
      this.#expunges += 1;
    });
  }

  /** Connects to a checked address, verifies the certificate and signs in. */
  static async open(context: SyncContext, times: ImapTimes = IMAP_TIMES): Promise<ImapSession> {
    const { server, port, security, user } = readSettings(context.settings);
    const { lookup, ca } = await context.network.resolve(server, context.signal);
    const client = new ImapClient({
      host: server,
      port,
      secure: security === 'tls',
      ...(security === 'starttls' ? { doSTARTTLS: true } : {}),
      tls: {
        lookup,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
        ...(ca === undefined ? {} : { ca: [...ca] }),
      },
      auth: { user, pass: context.secret ?? '' },
      clientInfo: { name: 'pdpp', version: false, vendor: false, 'support-url': false },
      logger: false,
      disableAutoIdle: true,
      // A small compressed response could become a large one.
      disableCompression: true,
      disableBinary: true,
      connectionTimeout: times.connectMs,
      greetingTimeout: times.connectMs,
      socketTimeout: times.silenceMs,
      maxIdleTime: times.idleMs,
      maxLineLength: MAX_LINE_BYTES,
      maxLiteralSize: MAX_MESSAGE_BYTES + OVERHEAD_BYTES,
      maxResponseSize: MAX_MESSAGE_BYTES + 2 * OVERHEAD_BYTES,
    });
    const session = new ImapSession(client, server, context.signal, times);
    await session.run((one) => one.connect(), { ms: 2 * times.connectMs });
    return session;
  }

  /** Counts reports of deleted messages. After one, sequence numbers have changed. */
  get expunges(): number {
    return this.#expunges;
  }

  /** Runs commands within limits. Throws SyncError, or the reason of the signal. */
  async run<Result>(
    work: (client: ImapClient) => Promise<Result>,
    { ms = this.#times.commandMs, bytes = MAX_COMMAND_BYTES }: Bounds = {},
  ): Promise<Result> {
    this.#signal.throwIfAborted();
    const { client } = this;
    const limit = client.stats().received + bytes;
    const deadline = Date.now() + ms;
    let stop: (() => void) | undefined;
    const limits = new Promise<never>((_, reject) => {
      const fail = (error: unknown) => {
        reject(error);
        client.close();
      };
      const abort = () => fail(this.#signal.reason);
      const timer = setInterval(() => {
        if (client.stats().received > limit) fail(tooLarge());
        else if (Date.now() > deadline) fail(tooSlow());
      }, CHECK_MS);
      this.#signal.addEventListener('abort', abort, { once: true });
      stop = () => {
        clearInterval(timer);
        this.#signal.removeEventListener('abort', abort);
      };
    });
    try {
      if (client.isClosed) throw closed();
      const result = await Promise.race([work(client), limits]);
      // For some commands the library returns nothing when the connection is closed.
      if (client.isClosed) throw closed();
      return result;
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      throw explainImapError(this.#failure ?? error, this.#server);
    } finally {
      stop?.();
    }
  }

  /** Fetches a batch of mails, which may take longer. */
  fetch<Result>(work: (client: ImapClient) => Promise<Result>, bytes: number): Promise<Result> {
    return this.run(work, { ms: this.#times.fetchMs, bytes: bytes + MAX_COMMAND_BYTES });
  }

  close(): void {
    this.client.close();
  }
}

const closed = () => Object.assign(new Error('The connection is closed.'), { code: 'NoConnection' });

/** Opens a session for one piece of work. */
export async function withImap<Result>(
  context: SyncContext,
  times: ImapTimes,
  work: (session: ImapSession) => Promise<Result>,
): Promise<Result> {
  const session = await ImapSession.open(context, times);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}
