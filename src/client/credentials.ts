import type {
  OAuthClientMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import type { SignInServer } from './check-sign-in.ts';
import type { Connection } from './connection-file.ts';

/** What signing in gives: enough to read, to renew and to revoke. */
export type Credentials = Omit<Connection, 'connected_at'>;

/** A client id that the server's owner gave out beforehand, for servers that register nobody. */
export interface KnownClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** How this program presents itself to the owner. It has no secret to keep, so it is a public client. */
export function describeApp(redirectUrl: string, grantTypes: string[]): OAuthClientMetadata {
  return {
    client_name: 'pdpp CLI',
    application_type: 'native',
    redirect_uris: [redirectUrl],
    grant_types: grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

export function toCredentials(
  server: URL,
  { issuer, resource }: SignInServer,
  client: StoredOAuthClientInformation,
  tokens: OAuthTokens,
): Credentials {
  const { client_id, client_secret } = client;
  const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined;
  return {
    server: server.href,
    issuer,
    resource,
    client: { client_id, client_secret, token_endpoint_auth_method: method },
    ...withExpiry(tokens),
  };
}

/** Tokens as they are stored: with the moment they end, and nothing else that a server may add. */
export function withExpiry(tokens: OAuthTokens): Pick<Connection, 'tokens' | 'expires_at'> {
  const { access_token, token_type, refresh_token, scope, expires_in } = tokens;
  const end = expires_in === undefined ? undefined : new Date(Date.now() + expires_in * 1_000);
  return { tokens: { access_token, token_type, refresh_token, scope }, expires_at: end?.toISOString() };
}
