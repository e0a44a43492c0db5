import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askAccess } from './ask-access.ts';

/** An app on this computer that signs in like the real ones: it registers, sends the browser, waits and redeems. */
export class LoopbackApp {
  readonly #origin: string;
  readonly #server: Server;
  readonly #verifier = randomBytes(32).toString('base64url');
  #clientId = '';
  #startUrl = '';
  #answered: (query: URLSearchParams) => void = () => {};
  readonly answer = new Promise<URLSearchParams>((resolve) => {
    this.#answered = resolve;
  });

  private constructor(origin: string) {
    this.#origin = origin;
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      response.end('You can go back to the app.');
      if (url.pathname === '/callback') this.#answered(url.searchParams);
    });
  }

  static async start(origin: string, name: string): Promise<LoopbackApp> {
    const app = new LoopbackApp(origin);
    await new Promise<void>((resolve) => app.#server.listen(0, '127.0.0.1', resolve));
    const asked = await askAccess(origin, { name, redirectUri: app.#redirectUri, verifier: app.#verifier });
    app.#clientId = asked.clientId;
    app.#startUrl = asked.startUrl;
    return app;
  }

  get #redirectUri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callback`;
  }

  get startUrl(): string {
    return this.#startUrl;
  }

  /** The access token for the code that came back. */
  async redeem(): Promise<string> {
    const query = await this.answer;
    const response = await fetch(`${this.#origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: this.#clientId,
        code: query.get('code') ?? '',
        code_verifier: this.#verifier,
        redirect_uri: this.#redirectUri,
      }),
    });
    const body = (await response.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
    return body.access_token;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
