import {
  type AuthProvider,
  discoverOAuthServerInfo,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import { MINUTE_MS } from '../time/durations.ts';
import { type Credentials, checkSignIn, withExpiry } from './check-sign-in.ts';
import { type Connection, readConnection, writeConnection } from './connection-file.ts';
import { accessEnded } from './explain-error.ts';
import { withFileLock } from './file-lock.ts';

/** Renewed this long before its end, so that no call starts with a token that ends under way. */
const EARLY_MS = MINUTE_MS;

/** Answers of a token endpoint after which only the owner can help. */
const ENDED: string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
];

/** The token of a stored connection, renewed when it must be. */
export function createStoredAccess(file: string, fetchFn: FetchLike): AuthProvider {
  let connection = readConnection(file);
  const renew = async () => {
    connection = await renewAccess(file, connection.tokens.access_token, fetchFn);
  };
  return {
    async token() {
      if (isSpent(connection) && connection.tokens.refresh_token !== undefined) await renew();
      return connection.tokens.access_token;
    },
    onUnauthorized: renew,
  };
}

/**
 * A refresh token works once, and several processes share this one: they take turns, and whoever comes
 * second finds the new token in the file.
 */
async function renewAccess(file: string, refused: string, fetchFn: FetchLike): Promise<Connection> {
  return withFileLock(`${file}.lock`, async () => {
    const current = readConnection(file);
    if (current.tokens.access_token !== refused && !isSpent(current)) return current;
    try {
      const renewed = { ...current, ...withExpiry(await requestTokens(current, fetchFn)) };
      writeConnection(file, renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof OAuthError) || !ENDED.includes(error.code)) throw error;
      // Somebody who does not know of our lock, on another computer perhaps, may have been first.
      const latest = readConnection(file);
      if (latest.tokens.access_token !== current.tokens.access_token) return latest;
      throw accessEnded(new URL(current.server), error);
    }
  });
}

async function requestTokens(connection: Connection, fetchFn: FetchLike): Promise<OAuthTokens> {
  const server = new URL(connection.server);
  const { refresh_token } = connection.tokens;
  if (refresh_token === undefined) throw accessEnded(server);
  const { issuer, url, metadata } = checkSignIn(server, await discoverOAuthServerInfo(server, { fetchFn }));
  // What one issuer gave is not shown to another.
  if (issuer !== connection.issuer) throw accessEnded(server);
  return refreshAuthorization(url, {
    metadata,
    clientInformation: connection.client,
    refreshToken: refresh_token,
    resource: connection.resource,
    fetchFn,
  });
}

function isSpent({ expires_at }: Connection): boolean {
  return expires_at !== undefined && Date.parse(expires_at) - EARLY_MS < Date.now();
}

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
