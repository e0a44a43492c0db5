import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackListener {
  readonly redirectUrl: string;
  /** The answer to the sign-in with this state. Any other request is turned away and changes nothing. */
  waitFor(state: string): Promise<URLSearchParams>;
  close(): void;
}

/** Where the browser brings the answer back to: a port of this computer that nobody could know before. */
export async function listenOnLoopback(): Promise<LoopbackListener> {
  let awaited: { state: string; take: (answer: URLSearchParams) => void } | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUrl);
    const isOurs = request.method === 'GET' && request.headers.host === new URL(redirectUrl).host;
    if (!isOurs || url.pathname !== '/callback') return sendPage(response, 404, 'There is nothing here.');
    if (awaited === undefined || url.searchParams.get('state') !== awaited.state)
      return sendPage(response, 400, 'This is not the answer that pdpp is waiting for.');
    const { take } = awaited;
    awaited = undefined;
    const approved = url.searchParams.has('code');
    sendPage(response, 200, `${approved ? 'Done' : 'Not approved'}. You can close this page.`);
    take(url.searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    redirectUrl,
    waitFor: (state) =>
      new Promise((take) => {
        awaited = { state, take };
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendPage(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(
    `<!doctype html><meta name="viewport" content="width=device-width"><title>pdpp</title><p>${text}`,
  );
}
