import { z } from 'zod';
import { checkAddress, checkRedirectUri } from './check-redirect-uri.ts';
import { cleanName } from './consent/requesting-client.ts';
import { clientGrantTypes, findApplicationType } from './documents/check-document.ts';

const MAX_REDIRECTS = 10;

/** Checked like redirects, although the server never requests them. */
const webUri = z.string().refine((uri) => /^https?:/.test(uri) && checkAddress(uri) === undefined);

/** The metadata that a client may register. Other members are ignored. */
const registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  client_name: z.string().transform(cleanName).optional(),
  client_uri: webUri.optional(),
  logo_uri: webUri.optional(),
  tos_uri: webUri.optional(),
  policy_uri: webUri.optional(),
});

export class RegistrationError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(code: RegistrationError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** RFC 7591: returns the metadata to register, from the metadata that was sent. */
export function checkRegistration(body: unknown): Record<string, unknown> {
  const parsed = registration.safeParse(body);
  if (!parsed.success) {
    const member = parsed.error.issues[0]?.path[0] ?? 'body';
    throw new RegistrationError(
      member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${String(member)} is missing or not acceptable`,
    );
  }
  const { redirect_uris, client_name, client_uri } = parsed.data;
  for (const uri of redirect_uris) {
    const problem = checkRedirectUri(uri);
    if (problem !== undefined) throw new RegistrationError('invalid_redirect_uri', problem);
  }
  return {
    redirect_uris: [...new Set(redirect_uris)],
    ...(client_name === undefined ? {} : { client_name }),
    ...(client_uri === undefined ? {} : { client_uri }),
    grant_types: clientGrantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: findApplicationType(redirect_uris),
  };
}
