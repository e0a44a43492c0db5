import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackListener {
  readonly redirectUrl: string;
  /** Waits for the redirect with this state. Refuses all other requests. */
  waitFor(state: string, server: string): Promise<URLSearchParams>;
  close(): void;
}

/** Listens on a random local port for the redirect of the browser. */
export async function listenOnLoopback(): Promise<LoopbackListener> {
  let awaited: { state: string; server: string; take: (answer: URLSearchParams) => void } | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUrl);
    const isOurs = request.method === 'GET' && request.headers.host === new URL(redirectUrl).host;
    if (!isOurs || url.pathname !== '/callback')
      return sendAnswerPage(response, 404, {
        title: 'Not found',
        text: 'There is no page at this address.',
      });
    if (awaited === undefined || url.searchParams.get('state') !== awaited.state)
      return sendAnswerPage(response, 400, {
        title: 'Sign-in failed',
        text: 'This sign-in is no longer valid. Go back to the terminal and start again.',
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
  text: 'You did not approve access. You can close this page.',
};

function connected(server: string): AnswerPage {
  return {
    title: 'Connected',
    text: 'pdpp on this computer can read only what you approved. You can close this page and go back to the terminal.',
    apps: `${server}/dashboard/apps`,
  };
}

interface AnswerPage {
  readonly title: string;
  readonly text: string;
  /** The page of the server that lists connected apps. */
  readonly apps?: string;
}

/** Looks like the pages of the server, whose files this program does not have. */
const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1b1d21,#eae9e5);--accent:light-dark(#1d6152,#7ed3be)}
body{max-width:34rem;margin:0 auto;padding:3rem 1.2rem;background:light-dark(#f7f6f3,#141517);color:var(--ink);
font:1.05rem/1.6 system-ui,sans-serif}
p.brand{font-weight:700}h1{font-size:1.8rem;line-height:1.25}
a{display:inline-block;padding:.55rem 1rem;border:1px solid;border-radius:.625rem;color:var(--accent);text-decoration:none}
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Sends the page that the browser shows after the redirect. It loads nothing. */
function sendAnswerPage(response: ServerResponse, status: number, page: AnswerPage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  const link = page.apps === undefined ? '' : `<p><a href="${escapeHtml(page.apps)}">View reads</a></p>`;
  response.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · pdpp</title><style>${STYLE}</style></head>
<body><header><p class="brand">pdpp</p></header><main><h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(page.text)}</p>${link}</main></body></html>
`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
