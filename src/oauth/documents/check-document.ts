import { z } from 'zod';
import { checkRedirectUri } from '../check-redirect-uri.ts';

/** What the authorization server is told about a client: public, code flow, and only what it may use. */
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

/** Every client may stay connected and may use a code on another device, whatever it thought of listing. */
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
/** A public document with private or symmetric key material in it was published by mistake. */
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

/** Members not named here are dropped, so nothing else in a document has any effect. */
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
 * The URL that a client id is, if it is one that may name a metadata document. The raw text is judged,
 * because a URL parser repairs what it reads: it drops tabs, turns backslashes and resolves dot segments.
 */
export function findDocumentUrl(clientId: string): URL | undefined {
  if (clientId.length > MAX_CHARACTERS || /[^\x21-\x7e]|\\/.test(clientId)) return undefined;
  const path = DOCUMENT_URL.exec(clientId)?.[1];
  if (path?.split('/').some((segment) => DOT_SEGMENT.test(segment)) ?? true) return undefined;
  return URL.canParse(clientId) ? new URL(clientId) : undefined;
}

/** The normalised document of a client, or an error that says for the log why there is none. */
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

/** Loopback and app redirects are those of a native app, whose loopback port may be any (RFC 8252 §7.3). */
export function findApplicationType(redirectUris: readonly string[]): 'native' | 'web' {
  return redirectUris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native';
}

/**
 * The plural wins: ChatGPT prefers private_key_jwt in the singular and lists none beside it. A document that
 * names no method means none, because what everybody can read cannot hold the secret the old default needs.
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
