import type { Context } from 'hono';

/** Sets the headers of a page: no content of other origins, no frames, no referrer. */
export function setPageHeaders(c: Context, formAction = "'self'"): void {
  c.header(
    'content-security-policy',
    `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  );
  c.header('x-frame-options', 'DENY');
  c.header('referrer-policy', 'no-referrer');
  c.header('cross-origin-opener-policy', 'same-origin');
  c.header('cross-origin-resource-policy', 'same-origin');
  c.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
}

/** Redirect addresses that redirect again. Browsers apply the policy to the second redirect as well. */
const secondRedirects: Readonly<Record<string, readonly string[]>> = {
  'https://vscode.dev/redirect': ['vscode:', 'http://127.0.0.1:*', 'http://localhost:*'],
  'https://insiders.vscode.dev/redirect': ['vscode-insiders:', 'http://127.0.0.1:*', 'http://localhost:*'],
};

/**
 * Returns the form-action policy of a consent page. Browsers apply it to the redirects after a form, and the one after an
 * approval leads to the app.
 */
export function formActionFor(redirectUri: string | undefined): string {
  const sources =
    redirectUri === undefined
      ? []
      : [...toPolicySource(redirectUri), ...(secondRedirects[redirectUri] ?? [])];
  return ["'self'", ...sources].join(' ');
}

/** Returns an address in the syntax of a policy, or nothing if the syntax cannot express it. */
function toPolicySource(redirectUri: string): string[] {
  const { protocol, origin, port, hostname } = new URL(redirectUri);
  // A policy can name only the scheme of an app.
  if (protocol !== 'http:' && protocol !== 'https:') return [protocol];
  // A policy cannot name an IPv6 address, so any host on its port is allowed.
  if (hostname.startsWith('[')) return [`${protocol}//*:${port || (protocol === 'http:' ? '80' : '443')}`];
  // A semicolon or a comma in a host would end the list.
  return /^[\w.-]+$/.test(hostname) ? [origin] : [];
}
