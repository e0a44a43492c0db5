import { checkResource, resourceOf, SCOPE } from './resource.ts';

/** OpenID Connect parameters; we issue no ID tokens, and the library refuses them without `openid`. */
const OPENID = ['nonce', 'claims', 'id_token_hint', 'max_age', 'acr_values', 'claims_locales', 'ui_locales'];

/**
 * Brings what real clients send to what we mean by it: there is one scope, one resource, and the page is shown
 * every time. Rights come from the owner's choice alone, so nothing is lost and nothing widened.
 */
export function prepareAuthorization(sent: URLSearchParams, publicUrl: string): URLSearchParams {
  const params = new URLSearchParams(sent);
  // The library knows ways to answer that we do not offer: a page that posts itself would lead a browser away.
  if ((params.get('response_mode') ?? 'query') !== 'query') params.set('response_mode', 'unsupported');
  // A pushed request was brought to this form when it was pushed.
  if (params.has('request_uri')) return params;
  const wantsOffline = params.get('scope')?.split(' ').includes('offline_access') ?? false;
  params.set('scope', wantsOffline ? `${SCOPE} offline_access` : SCOPE);
  if (params.get('prompt') !== 'none') params.set('prompt', 'consent');
  for (const name of OPENID) params.delete(name);
  nameResource(params, publicUrl);
  return params;
}

/** A token request can ask for less, never for more; since there is one scope and one resource, it asks for neither. */
export function prepareToken(sent: URLSearchParams, publicUrl: string): URLSearchParams {
  const params = new URLSearchParams(sent);
  params.delete('scope');
  params.delete('authorization_details');
  // Refused here, because the library would use the code up first.
  checkResource(publicUrl, params.getAll('resource'));
  if (params.has('resource')) params.set('resource', resourceOf(publicUrl));
  return params;
}

/** The four ways to write our resource become one; somebody else's is left for the library to refuse. */
function nameResource(params: URLSearchParams, publicUrl: string): void {
  try {
    params.set('resource', checkResource(publicUrl, params.getAll('resource')));
  } catch {
    // The library answers it as the protocol wants, with state and issuer.
  }
}
