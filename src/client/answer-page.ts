import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export interface AnswerPage {
  readonly title: string;
  readonly text: string;
  /** Where the owner sees what has access; an address of the server that was asked. */
  readonly apps?: string;
}

/** The dress of the server's own pages. This one is shown by a program that has none of their files. */
const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1b1d21,#eae9e5);--accent:light-dark(#1d6152,#7ed3be)}
body{max-width:34rem;margin:0 auto;padding:3rem 1.2rem;background:light-dark(#f7f6f3,#141517);color:var(--ink);
font:1.05rem/1.6 system-ui,sans-serif}
p.brand{font-weight:700}h1{font-size:1.8rem;line-height:1.25}
a{display:inline-block;padding:.55rem 1rem;border:1px solid;border-radius:.625rem;color:var(--accent);text-decoration:none}
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What the browser shows once its answer has arrived here: one thing said, nothing loaded, nothing kept. */
export function sendAnswerPage(response: ServerResponse, status: number, page: AnswerPage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  const link =
    page.apps === undefined ? '' : `<p><a href="${escapeHtml(page.apps)}">See what it reads</a></p>`;
  response.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · pdpp</title><style>${STYLE}</style></head>
<body><header><p class="brand">pdpp</p></header><main><h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(page.text)}</p>${link}</main></body></html>
`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
