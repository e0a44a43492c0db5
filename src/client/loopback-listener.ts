import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnswerPage, sendAnswerPage } from './answer-page.ts';

export interface LoopbackListener {
  readonly redirectUrl: string;
  /** The answer to the sign-in with this state at this server. Any other request is turned away and changes nothing. */
  waitFor(state: string, server: string): Promise<URLSearchParams>;
  close(): void;
}

/** Where the browser brings the answer back to: a port of this computer that nobody could know before. */
export async function listenOnLoopback(): Promise<LoopbackListener> {
  let awaited: { state: string; server: string; take: (answer: URLSearchParams) => void } | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUrl);
    const isOurs = request.method === 'GET' && request.headers.host === new URL(redirectUrl).host;
    if (!isOurs || url.pathname !== '/callback')
      return sendAnswerPage(response, 404, {
        title: 'Nothing here',
        text: 'This address is for one answer.',
      });
    if (awaited === undefined || url.searchParams.get('state') !== awaited.state)
      return sendAnswerPage(response, 400, {
        title: 'That did not work',
        text: 'This is not the answer that pdpp is waiting for. Start again where you began.',
      });
    const { take, server: asked } = awaited;
    awaited = undefined;
    sendAnswerPage(response, 200, url.searchParams.has('code') ? connected(asked) : NOT_APPROVED);
    take(url.searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    redirectUrl,
    waitFor: (state, asked) =>
      new Promise((take) => {
        awaited = { state, server: asked, take };
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const NOT_APPROVED: AnswerPage = {
  title: 'Not connected',
  text: 'You did not approve, so pdpp on this computer can read nothing. You can close this page.',
};

function connected(server: string): AnswerPage {
  return {
    title: 'Connected',
    text: 'pdpp on this computer can read what you approved, and nothing else. You can close this page and go back to the terminal.',
    apps: `${server}/dashboard/apps`,
  };
}
