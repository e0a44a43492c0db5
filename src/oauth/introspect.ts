import type Provider from 'oidc-provider';

/** RFC 7662, for the owner. Of a token that is not good nothing is said but that. */
export async function introspect(provider: Provider, value: string): Promise<Record<string, unknown>> {
  const token = (await provider.AccessToken.find(value)) ?? (await provider.RefreshToken.find(value));
  if (token === undefined || token.grantId === undefined || 'consumed' in token) return { active: false };
  const grant = await provider.Grant.find(token.grantId);
  if (grant === undefined) return { active: false };
  return {
    active: true,
    client_id: token.clientId,
    sub: token.accountId,
    scope: token.scope,
    exp: token.exp,
    iat: token.iat,
    iss: provider.issuer,
    grant_id: token.grantId,
    ...('aud' in token ? { aud: token.aud, token_type: 'Bearer' } : {}),
    ...(grant.rar === undefined ? {} : { authorization_details: grant.rar }),
  };
}
