import type Provider from 'oidc-provider';

const MAX_CHARACTERS = 2_000;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/;
const WEB = /^https:\/\/[^/?]/;
const USER_NAME = /^[^/?]*\/\/[^/?]*@/;

/**
 * RFC 8252 §7.1: an app scheme is a domain name its maker holds, hence the dot. These editors had theirs
 * before and send nothing else (`cursor://anysphere.cursor-mcp/oauth/callback`), so they are named one by one.
 */
const schemesWithoutDot: ReadonlySet<string> = new Set(['cursor', 'vscode', 'vscode-insiders']);

/**
 * What is wrong with a redirect URI, if anything. It is compared as text, so it has to be the text that a
 * browser would make of it: then there is no second spelling of a place, and what the page shows is where the
 * answer goes.
 */
export function checkRedirectUri(uri: string): string | undefined {
  return (
    checkAddress(uri) ??
    (isCanonical(uri) ? undefined : 'A redirect URI must be in the form that browsers use.')
  );
}

/**
 * The slash of an address without a path may be left out, and a program may name port 80 as any other it
 * listens on. A host has no dot at its end, and a port is a real one.
 */
function isCanonical(uri: string): boolean {
  const { href, hostname, port } = new URL(uri);
  const plain = uri.replace(/^(http:\/\/[^/?]+):80(?=[/?]|$)/, '$1');
  return [plain, `${plain}/`].includes(href) && !hostname.endsWith('.') && port !== '0';
}

/**
 * What is wrong with an address that a client gives. An allowlist over the raw text: lists of bad schemes were
 * passed by case, spaces and control characters, which a browser ignores and a comparison does not.
 */
export function checkAddress(uri: string): string | undefined {
  if (uri.length > MAX_CHARACTERS) return 'A redirect URI may have at most 2,000 characters.';
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
 * The library takes a loopback address apart before it compares, and so knows `http://127.0.0.1:/callback` as
 * another spelling. Here a redirect is the registered text, or the registered text with another port.
 */
export function compareRedirectsAsText(provider: Provider): void {
  const { prototype } = provider.Client;
  const allowsAnyPort = prototype.redirectUriAllowed;
  prototype.redirectUriAllowed = function (uri) {
    const isRegistered = this.redirectUris?.includes(uri) ?? false;
    return isRegistered || (checkRedirectUri(uri) === undefined && allowsAnyPort.call(this, uri));
  };
}
