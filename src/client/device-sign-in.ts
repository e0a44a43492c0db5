import { setTimeout as wait } from 'node:timers/promises';
import {
  discoverOAuthServerInfo,
  type FetchLike,
  fetchToken,
  type OAuthClientProvider,
  OAuthError,
  type OAuthTokens,
  parseErrorResponse,
  registerClient,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { command, hint } from '../text/hint.ts';
import {
  type Credentials,
  checkIssuerUrl,
  checkSignIn,
  createClientMetadata,
  type KnownClient,
  type SignInServer,
  toCredentials,
} from './check-sign-in.ts';
import { ClientError } from './client-error.ts';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** The default polling interval and the increment after `slow_down` (RFC 8628 §3.2 and §3.5). */
const INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;

const startShape = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number(),
  interval: z.number().positive().optional(),
});

type Start = z.infer<typeof startShape>;

/** Signs in while the owner approves on another device. Needs neither a browser nor a port here. */
export async function signInByDevice(
  server: URL,
  fetchFn: FetchLike,
  known: KnownClient | undefined,
  print: (text: string) => void,
): Promise<Credentials> {
  const signIn = checkSignIn(server, await discoverOAuthServerInfo(server, { fetchFn }));
  const endpoint = signIn.findEndpoint('device_authorization_endpoint');
  if (endpoint === undefined) {
    throw new ClientError('sign_in_refused', 'The server does not support approval on another device.', {
      hint: hint`Use a browser: ${command('connect', server.origin)}`,
    });
  }
  const scope = chooseScope(signIn);
  const registered = known ?? (await register(signIn, scope, fetchFn));
  const client = { ...registered, issuer: signIn.issuer };
  const body = new URLSearchParams({
    client_id: client.client_id,
    resource: signIn.resource,
    ...(scope && { scope }),
  });
  const response = await fetchFn(endpoint, { method: 'POST', body, redirect: 'error' });
  if (!response.ok) throw await parseErrorResponse(response);
  const start = startShape.parse(await response.json());
  const page = checkIssuerUrl(start.verification_uri, signIn.issuer, server);
  print(`Open this page on any device and enter the code:\n\n  ${page.href}\n  ${start.user_code}\n`);
  return toCredentials(server, signIn, client, await pollTokens(start, signIn, client, fetchFn));
}

function register({ url, metadata }: SignInServer, scope: string, fetchFn: FetchLike) {
  const grantTypes = ['authorization_code', 'refresh_token', DEVICE_CODE];
  const clientMetadata = createClientMetadata('http://127.0.0.1/callback', grantTypes);
  return registerClient(url, { metadata, clientMetadata, ...(scope && { scope }), fetchFn });
}

async function pollTokens(
  start: Start,
  { url, metadata, resource }: SignInServer,
  client: StoredOAuthClientInformation,
  fetchFn: FetchLike,
): Promise<OAuthTokens> {
  const until = Date.now() + start.expires_in * 1_000;
  let interval = start.interval ?? INTERVAL_SECONDS;
  while (Date.now() + interval * 1_000 < until) {
    await wait(interval * 1_000);
    try {
      return await fetchToken(createDeviceProvider(start, client), url, { metadata, resource, fetchFn });
    } catch (error) {
      const reason = error instanceof OAuthError ? error.code : undefined;
      const unreachable = error instanceof ClientError && error.code === 'unreachable';
      if (reason === 'expired_token') break;
      if (reason === 'slow_down' || unreachable) interval += SLOW_DOWN_SECONDS;
      else if (reason !== 'authorization_pending') throw error;
    }
  }
  throw new ClientError('sign_in_refused', 'The code expired before access was approved.', {
    hint: 'Run the same command again.',
  });
}

/** Wraps the device code in the provider interface of the SDK. */
function createDeviceProvider(
  { device_code }: Start,
  client: StoredOAuthClientInformation,
): OAuthClientProvider {
  const notNeeded = () => {
    throw new Error('the device flow does not redirect');
  };
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => client,
    prepareTokenRequest: () => new URLSearchParams({ grant_type: DEVICE_CODE, device_code }),
    tokens: () => undefined,
    saveTokens: notNeeded,
    redirectToAuthorization: notNeeded,
    codeVerifier: notNeeded,
    saveCodeVerifier: notNeeded,
  };
}

/** Returns all scopes that the server offers to apps, and offline access if it supports it. */
function chooseScope({ scopes, metadata }: SignInServer): string {
  const supportsOffline = metadata.scopes_supported?.includes('offline_access') === true;
  return [...scopes, ...(supportsOffline ? ['offline_access'] : [])].join(' ');
}
