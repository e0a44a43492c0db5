import type { Context } from 'hono';

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

/**
 * Browsers hold the redirects that follow a form to the form's policy. After an approval they lead to the app,
 * which may send the browser on to a page of its own.
 */
export function formActionFor(redirectUri: string | undefined): string {
  const loopback = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:*`);
  const scheme = redirectUri === undefined ? 'https:' : new URL(redirectUri).protocol;
  const schemes = new Set(['https:', ...(scheme === 'http:' ? [] : [scheme])]);
  return ["'self'", ...schemes, ...loopback].join(' ');
}
