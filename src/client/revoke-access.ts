import { discoverOAuthServerInfo, type FetchLike } from '@modelcontextprotocol/client';
import { checkSignIn } from './check-sign-in.ts';
import type { Credentials } from './credentials.ts';

/**
 * Ends the access at the server (RFC 7009): with the refresh token goes every token made from it. Says
 * whether the server confirmed.
 */
export async function revokeAccess(credentials: Credentials, fetchFn: FetchLike): Promise<boolean> {
  try {
    const server = new URL(credentials.server);
    const signIn = checkSignIn(server, await discoverOAuthServerInfo(server, { fetchFn }));
    const endpoint = signIn.findEndpoint('revocation_endpoint');
    if (endpoint === undefined || signIn.issuer !== credentials.issuer) return false;
    const { access_token, refresh_token } = credentials.tokens;
    const { client_id, client_secret } = credentials.client;
    const body = new URLSearchParams({
      token: refresh_token ?? access_token,
      token_type_hint: refresh_token === undefined ? 'access_token' : 'refresh_token',
      client_id,
      ...(client_secret && { client_secret }),
    });
    const response = await fetchFn(endpoint, { method: 'POST', body, redirect: 'error' });
    return response.ok;
  } catch {
    // Gone, or no longer what it was: the caller says that nothing was confirmed.
    return false;
  }
}
