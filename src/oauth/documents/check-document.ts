import { z } from 'zod';
import { checkRedirectUri } from '../check-redirect-uri.ts';

/** A client as the authorization server knows it: public, code flow, only allowed members. */
export interface ClientDocument {
  readonly client_id: string;
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly ['code'];
  readonly token_endpoint_auth_method: 'none';
  readonly application_type: 'native' | 'web';
}

/** Every client may refresh tokens and use the device flow, whatever its document lists. */
export const clientGrantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
const SYMMETRIC = /^client_secret_/;
/** Lower-case https, a host without user name, a path, perhaps a query, no fragment. */
const DOCUMENT_URL = /^https:\/\/[^/?#@]+(\/[^?#]+)(?:\?[^#]*)?$/;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
const MAX_CHARACTERS = 2_000;

const absent = z.never().optional();
/** Refuses private or symmetric key material, which was published by mistake. */
const publicKey = z.object({
  d: absent,
  k: absent,
  p: absent,
  q: absent,
  dp: absent,
  dq: absent,
  qi: absent,
  oth: absent,
  priv: absent,
});

/** Other members are dropped and have no effect. */
const published = z.object({
  client_id: z.string(),
  client_name: z.string().min(1).optional().catch(undefined),
  client_uri: z
    .string()
    .regex(/^https:\/\/[\x21-\x5b\x5d-\x7e]+$/)
    .refine((uri) => URL.canParse(uri))
    .optional(),
  redirect_uris: z.array(z.string()).min(1),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods: z.array(z.string()).default([]),
  token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
  jwks: z.object({ keys: z.array(publicKey) }).optional(),
  client_secret: absent,
  client_secret_expires_at: absent,
});

/**
 * Returns a client id as the URL of a metadata document, if it can be one. The raw text is checked, because a URL parser
 * drops tabs, turns backslashes and resolves dot segments.
 */
export function findDocumentUrl(clientId: string): URL | undefined {
  if (clientId.length > MAX_CHARACTERS || /[^\x21-\x7e]|\\/.test(clientId)) return undefined;
  const path = DOCUMENT_URL.exec(clientId)?.[1];
  if (path?.split('/').some((segment) => DOT_SEGMENT.test(segment)) ?? true) return undefined;
  return URL.canParse(clientId) ? new URL(clientId) : undefined;
}

/** Returns the normalised document of a client. The message of an error is for the log only. */
export function checkDocument(clientId: string, document: unknown): ClientDocument {
  const given = published.parse(document);
  if (given.client_id !== clientId) throw new Error('The client_id in the document is another one.');
  checkAuthMethods(given);
  for (const uri of given.redirect_uris) {
    const problem = checkRedirectUri(uri);
    if (problem !== undefined) throw new Error(problem);
  }
  return {
    client_id: clientId,
    ...(given.client_name === undefined ? {} : { client_name: given.client_name }),
    ...(given.client_uri === undefined ? {} : { client_uri: given.client_uri }),
    redirect_uris: [...new Set(given.redirect_uris)],
    grant_types: clientGrantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: findApplicationType(given.redirect_uris),
  };
}

/** Loopback and app redirects belong to a native app, which may use any loopback port (RFC 8252 §7.3). */
export function findApplicationType(redirectUris: readonly string[]): 'native' | 'web' {
  return redirectUris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native';
}

/**
 * Checks that a client can be public. The list of methods has precedence: ChatGPT prefers private_key_jwt and also lists
 * none. A document without any method means none, because a public document cannot hold a secret.
 */
function checkAuthMethods(given: z.infer<typeof published>): void {
  const preferred = given.token_endpoint_auth_method ?? 'none';
  const listed = [...given.token_endpoint_auth_methods, ...given.token_endpoint_auth_methods_supported];
  if ([preferred, ...listed].some((method) => SYMMETRIC.test(method))) {
    throw new Error('The document names an authentication method with a shared secret.');
  }
  const usable = listed.length === 0 ? [preferred] : listed;
  if (!usable.includes('none')) throw new Error('The client cannot be a public one.');
}
