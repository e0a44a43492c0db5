import type Provider from 'oidc-provider';
import { checkRedirectUri } from './check-redirect-uri.ts';

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
