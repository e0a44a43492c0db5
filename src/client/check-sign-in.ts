import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  type OAuthClientMetadata,
  type OAuthServerInfo,
  type OAuthTokens,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { command, hint } from '../text/hint.ts';
import { ClientError } from './client-error.ts';
import type { Connection } from './connection-file.ts';
import { isLoopback, isSafeUrl, unsafeUrl } from './guarded-fetch.ts';

/** The endpoints that are used. Each must have the origin of its issuer. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const;

type Endpoint = (typeof ENDPOINTS)[number];

export interface SignInServer {
  readonly issuer: string;
  /** As the server writes it, because it is compared character by character. */
  readonly resource: string;
  /** The scopes that the server offers to apps. */
  readonly scopes: readonly string[];
  readonly url: string;
  readonly metadata: AuthorizationServerMetadata;
  findEndpoint(name: Endpoint): string | undefined;
}

/**
 * Checks that the resource is the server that was asked (RFC 9728 §3.3) and that every endpoint belongs to the issuer. The
 * SDK has checked that the metadata is the issuer's own.
 */
export function checkSignIn(server: URL, info: OAuthServerInfo): SignInServer {
  const { resourceMetadata, authorizationServerMetadata: metadata } = info;
  if (resourceMetadata === undefined || metadata === undefined) {
    throw new ClientError('sign_in_refused', 'The server does not describe how to sign in.', {
      hint: `Is it a pdpp server? See ${server.origin}/.well-known/oauth-protected-resource`,
    });
  }
  const { resource } = resourceMetadata;
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: resource })) {
    const named = URL.canParse(resource) ? new URL(resource) : server;
    // The server's own name is suggested only if it stays on this computer: localhost for 127.0.0.1, or the reverse.
    const isHere = isLoopback(named) && isLoopback(server);
    throw new ClientError('unsafe_server', 'The server reports a different address for itself.', {
      hint: isHere
        ? hint`Run: ${command('connect', named.origin)}`
        : 'Use the address that the server printed when it started.',
    });
  }
  const { origin } = new URL(metadata.issuer);
  const findEndpoint = (name: Endpoint) => {
    const value = (metadata as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };
  for (const name of ENDPOINTS) {
    const endpoint = findEndpoint(name);
    if (endpoint !== undefined) checkIssuerUrl(endpoint, origin, server);
  }
  return {
    issuer: metadata.issuer,
    resource,
    scopes: resourceMetadata.scopes_supported ?? [],
    url: info.authorizationServerUrl,
    metadata,
    findEndpoint,
  };
}

/** Checks a URL that the issuer names, before it is requested or opened. */
export function checkIssuerUrl(text: string, issuer: string, server: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin !== new URL(issuer).origin || !isSafeUrl(url, server))
    throw unsafeUrl();
  return url;
}

/** Requires PKCE, as MCP demands: without it, anyone who sees the redirect can redeem its code. */
export function checkPkce({ metadata }: SignInServer): void {
  if (metadata.code_challenge_methods_supported?.includes('S256')) return;
  throw new ClientError('unsafe_server', 'The server does not support secure sign-in (PKCE).');
}

export function checkRegistration({ findEndpoint }: SignInServer): void {
  if (findEndpoint('registration_endpoint') !== undefined) return;
  throw new ClientError('sign_in_refused', 'The server does not allow new apps to register.', {
    hint: 'Use a registered client: --client-id ID',
  });
}

/** The result of a sign-in. */
export type Credentials = Omit<Connection, 'connected_at'>;

/** A client that was registered beforehand. */
export interface KnownClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** Returns the client metadata of this program, a public client. */
export function createClientMetadata(redirectUrl: string, grantTypes: string[]): OAuthClientMetadata {
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

/** Converts tokens to their stored form, with the time at which they expire. */
export function withExpiry(tokens: OAuthTokens): Pick<Connection, 'tokens' | 'expires_at'> {
  const { access_token, token_type, refresh_token, scope, expires_in } = tokens;
  const end = expires_in === undefined ? undefined : new Date(Date.now() + expires_in * 1_000);
  return { tokens: { access_token, token_type, refresh_token, scope }, expires_at: end?.toISOString() };
}
