import type { Context, MiddlewareHandler } from 'hono';

export function answerHeaders(publicUrl: string): readonly (readonly [name: string, value: string])[] {
  return Object.entries({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  });
}

/** Set before the answer is made: adding to a finished one would copy it. */
export function setAnswerHeaders(publicUrl: string): MiddlewareHandler {
  const headers = answerHeaders(publicUrl);
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value);
    await next();
  };
}

/** What every page says about itself: nothing from elsewhere, no frame, no trace in other sites' logs. */
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

/** A redirect that hands the browser on to another place, which browsers hold to the policy too. */
const handsOn: Readonly<Record<string, readonly string[]>> = {
  'https://vscode.dev/redirect': ['vscode:', 'http://127.0.0.1:*', 'http://localhost:*'],
  'https://insiders.vscode.dev/redirect': ['vscode-insiders:', 'http://127.0.0.1:*', 'http://localhost:*'],
};

/**
 * Browsers hold the redirects that follow a form to the form's policy. After an approval they lead to the app:
 * to the one place that the page names, and nowhere else.
 */
export function formActionFor(redirectUri: string | undefined): string {
  const places =
    redirectUri === undefined ? [] : [...writeSource(redirectUri), ...(handsOn[redirectUri] ?? [])];
  return ["'self'", ...places].join(' ');
}

/** A place as a policy can write it, if it can. */
function writeSource(redirectUri: string): string[] {
  const { protocol, origin, port, hostname } = new URL(redirectUri);
  // For the schemes of apps there is nothing but the scheme.
  if (protocol !== 'http:' && protocol !== 'https:') return [protocol];
  // There is no way to write an address in brackets: any host on its port has to do.
  if (hostname.startsWith('[')) return [`${protocol}//*:${port || (protocol === 'http:' ? '80' : '443')}`];
  // A host with a semicolon or a comma in it would end the list.
  return /^[\w.-]+$/.test(hostname) ? [origin] : [];
}
