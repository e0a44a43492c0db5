import type Provider from 'oidc-provider';

const MAX_URI_CHARACTERS = 2_000;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/;
const WEB = /^https:\/\/[^/?]/;
const USER_NAME = /^[^/?]*\/\/[^/?]*@/;

/**
 * RFC 8252 §7.1: the scheme of an app contains a dot, because it is based on a domain name of the app's maker. These
 * editors use older schemes without a dot (`cursor://anysphere.cursor-mcp/oauth/callback`).
 */
const schemesWithoutDot: ReadonlySet<string> = new Set(['cursor', 'vscode', 'vscode-insiders']);

/**
 * Returns the problem with a redirect URI, if any. URIs are compared as text, so only the spelling that browsers produce
 * is accepted, and the consent page shows the real target.
 */
export function checkRedirectUri(uri: string): string | undefined {
  return (
    checkAddress(uri) ??
    (isCanonical(uri) ? undefined : 'A redirect URI must be in the form that browsers use.')
  );
}

/** Returns whether a URI is in the form that browsers use. The slash of an empty path and port 80 may differ. */
function isCanonical(uri: string): boolean {
  const { href, hostname, port } = new URL(uri);
  const plain = uri.replace(/^(http:\/\/[^/?]+):80(?=[/?]|$)/, '$1');
  return [plain, `${plain}/`].includes(href) && !hostname.endsWith('.') && port !== '0';
}

/**
 * Returns the problem with a client's address, if any. An allowlist over the raw text: case, spaces and control
 * characters got past lists of bad schemes.
 */
export function checkAddress(uri: string): string | undefined {
  if (uri.length > MAX_URI_CHARACTERS) return 'A redirect URI may have at most 2,000 characters.';
  if (/[^\x21-\x7e]|\\/.test(uri)) return 'A redirect URI must be ASCII without spaces or backslashes.';
  if (!URL.canParse(uri)) return 'A redirect URI must be an absolute address.';
  if (uri.includes('#')) return 'A redirect URI must not have a fragment.';
  if (uri.includes('*')) return 'A redirect URI must not have a wildcard.';
  if (USER_NAME.test(uri)) return 'A redirect URI must not have a user name.';
  return checkScheme(uri, new URL(uri).protocol.slice(0, -1));
}

function checkScheme(uri: string, scheme: string): string | undefined {
  if (scheme === 'https') return WEB.test(uri) ? undefined : 'A web redirect URI must start with https://.';
  if (scheme === 'http') {
    return LOOPBACK.test(uri) ? undefined : 'http is allowed only for 127.0.0.1, [::1] and localhost.';
  }
  if (scheme.includes('.') || schemesWithoutDot.has(scheme)) return undefined;
  return 'The scheme of an app must have a dot, as in com.example.app.';
}

/**
 * Accepts only the registered text, or the registered text with another loopback port. The library parses addresses
 * first and would also accept `http://127.0.0.1:/callback`.
 */
export function compareRedirectsAsText(provider: Provider): void {
  const { prototype } = provider.Client;
  const allowsAnyPort = prototype.redirectUriAllowed;
  prototype.redirectUriAllowed = function (uri) {
    const isRegistered = this.redirectUris?.includes(uri) ?? false;
    return isRegistered || (checkRedirectUri(uri) === undefined && allowsAnyPort.call(this, uri));
  };
}
