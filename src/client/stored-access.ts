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

/** Tokens are renewed this long before they expire, so that none expires during a call. */
const RENEW_EARLY_MS = MINUTE_MS;

/** Errors of the token endpoint after which the owner must approve again. */
const ACCESS_ENDED_CODES: string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
];

/** Provides the token of a stored connection, and renews it when necessary. */
export function createStoredAccess(file: string, fetchFn: FetchLike): AuthProvider {
  let connection = readConnection(file);
  const renew = async () => {
    connection = await renewAccess(file, connection.tokens.access_token, fetchFn);
  };
  return {
    async token() {
      if (needsRenewal(connection) && connection.tokens.refresh_token !== undefined) await renew();
      return connection.tokens.access_token;
    },
    onUnauthorized: renew,
  };
}

/** Renews the tokens under a lock: a refresh token works once, and the next process finds the new one in the file. */
async function renewAccess(file: string, refused: string, fetchFn: FetchLike): Promise<Connection> {
  return withFileLock(`${file}.lock`, async () => {
    const current = readConnection(file);
    if (current.tokens.access_token !== refused && !needsRenewal(current)) return current;
    try {
      const renewed = { ...current, ...withExpiry(await requestTokens(current, fetchFn)) };
      writeConnection(file, renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof OAuthError) || !ACCESS_ENDED_CODES.includes(error.code)) throw error;
      // A process that does not see the lock, such as one on another computer, may have renewed it.
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
  // The refresh token is sent only to its issuer.
  if (issuer !== connection.issuer) throw accessEnded(server);
  return refreshAuthorization(url, {
    metadata,
    clientInformation: connection.client,
    refreshToken: refresh_token,
    resource: connection.resource,
    fetchFn,
  });
}

function needsRenewal({ expires_at }: Connection): boolean {
  return expires_at !== undefined && Date.parse(expires_at) - RENEW_EARLY_MS < Date.now();
}

/** Revokes the tokens at the server (RFC 7009). Returns whether the server confirmed it. */
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
    return false;
  }
}
