import { checkResource } from './check-resource.ts';
import { resourceOf, SCOPE } from './resource.ts';

/** OpenID Connect parameters; we issue no ID tokens, and the library refuses them without `openid`. */
const OPENID = ['nonce', 'claims', 'id_token_hint', 'max_age', 'acr_values', 'claims_locales', 'ui_locales'];

/**
 * Normalises an authorization request: one scope, one resource, and always the consent page. Access depends on the
 * owner's choice alone, so this neither narrows nor widens it.
 */
export function prepareAuthorization(sent: URLSearchParams, publicUrl: string): URLSearchParams {
  const params = new URLSearchParams(sent);
  // The library has response modes that we do not offer, such as a page that posts itself to another site.
  if ((params.get('response_mode') ?? 'query') !== 'query') params.set('response_mode', 'unsupported');
  // A pushed request was normalised when it was pushed.
  if (params.has('request_uri')) return params;
  const wantsOffline = params.get('scope')?.split(' ').includes('offline_access') ?? false;
  params.set('scope', wantsOffline ? `${SCOPE} offline_access` : SCOPE);
  if (params.get('prompt') !== 'none') params.set('prompt', 'consent');
  for (const name of OPENID) params.delete(name);
  nameResource(params, publicUrl);
  return params;
}

/** Normalises a token request. It cannot narrow the one scope and the one resource. */
export function prepareToken(sent: URLSearchParams, publicUrl: string): URLSearchParams {
  const params = new URLSearchParams(sent);
  params.delete('scope');
  params.delete('authorization_details');
  // Refused here, because the library would use the code up first.
  checkResource(publicUrl, params.getAll('resource'));
  if (params.has('resource')) params.set('resource', resourceOf(publicUrl));
  return params;
}

/** Replaces the four spellings of our resource by one. The library refuses any other resource. */
function nameResource(params: URLSearchParams, publicUrl: string): void {
  try {
    params.set('resource', checkResource(publicUrl, params.getAll('resource')));
  } catch {
    // The library answers with state and issuer, as the protocol requires.
  }
}
