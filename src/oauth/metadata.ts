import { DETAILS_TYPE } from './consent/authorization-details.ts';
import { clientGrantTypes } from './documents/check-document.ts';
import { paths } from './provider.ts';
import { SCOPE } from './resource.ts';

/** RFC 8414. Written by hand, because clients act on every member: ChatGPT requests every scope it finds here. */
export function describeServer(publicUrl: string) {
  const at = (path: string) => `${publicUrl}${path}`;
  return {
    issuer: publicUrl,
    authorization_endpoint: at(paths.authorization),
    token_endpoint: at(paths.token),
    registration_endpoint: at(paths.registration),
    revocation_endpoint: at(paths.revocation),
    introspection_endpoint: at(paths.introspection),
    pushed_authorization_request_endpoint: at(paths.pushed_authorization_request),
    device_authorization_endpoint: at(paths.device_authorization),
    scopes_supported: [SCOPE, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: clientGrantTypes,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint_auth_methods_supported: ['Bearer'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    authorization_details_types_supported: [DETAILS_TYPE],
    protected_resources: [at('/mcp')],
    service_documentation: at('/llms.txt'),
  };
}

/** All paths that clients are known to request: with and without the resource's path, RFC 8414 and OpenID style. */
export const metadataPaths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
  '/mcp/.well-known/oauth-authorization-server',
] as const;
