import { Agent, request } from 'node:http';

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One connection that is kept open, of Node's HTTP client. */
export class HttpConnection {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  send({ path, headers, body }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: this.#port, path, method: 'POST', agent: this.#agent, headers },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          incoming.once('error', reject);
          incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body: text }));
        },
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
