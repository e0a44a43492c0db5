import { generateKeyPairSync } from 'node:crypto';
import type {
  Configuration,
  JWK,
  Provider as ProviderClass,
  interactionPolicy as policies,
} from 'oidc-provider';
import { deriveKey } from '../secrets/derive-key.ts';
import type { Store } from '../store/store.ts';
import { compareRedirectsAsText } from './check-redirect-uri.ts';
import { checkResource } from './check-resource.ts';
import { DETAILS_TYPE, parseDetails } from './consent/authorization-details.ts';
import { interactionPolicy, Provider } from './library.ts';
import * as lifetimes from './lifetimes.ts';
import { resourceOf, SCOPE } from './resource.ts';
import { createAdapter } from './storage/adapter.ts';
import type { ItemIds } from './storage/item-id.ts';
import { createRotation, nameTokens, type Rotation } from './storage/rotate-refresh.ts';

/** The only account. */
export const OWNER = 'owner';

export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  pushed_authorization_request: '/oauth/par',
  device_authorization: '/oauth/device/code',
  code_verification: '/oauth/device',
} as const;

export interface ProviderDeps {
  readonly store: Store;
  readonly ids: ItemIds;
  readonly publicUrl: string;
  readonly fetchDocument: NonNullable<Configuration['fetch']>;
  readonly accessTokenSeconds: number;
  /** Ends a grant because one of its credentials was used twice. */
  readonly endGrant: (grantId: string) => Promise<void>;
  readonly pages: Pick<Configuration, 'renderError'> & {
    readonly device: Pick<
      NonNullable<NonNullable<Configuration['features']>['deviceFlow']>,
      'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'
    >;
  };
}

/** Creates the authorization server: oidc-provider with our configuration. */
export function createProvider(deps: ProviderDeps): ProviderClass {
  const rotation = createRotation(deps.store.secret, deps.store.write.oauth, deps.ids);
  const provider = new Provider(deps.publicUrl, configure(deps, rotation));
  // Makes the library use the forwarded headers, which `forward` sets to the configured origin.
  provider.proxy = true;
  compareRedirectsAsText(provider);
  nameTokens(provider, rotation);
  return provider;
}

function configure(deps: ProviderDeps, rotation: Rotation): Configuration {
  const { store, ids, endGrant } = deps;
  const adapterDeps = { store: store.write, ids, rotation, endGrant };
  return {
    adapter: (kind) => createAdapter(kind, adapterDeps),
    routes: paths,
    cookies: {
      keys: [deriveKey(store.secret, 'cookies').toString('base64url')],
      names: { session: 'pdpp_as', interaction: 'pdpp_as_interaction', resume: 'pdpp_as_resume' },
    },
    jwks: { keys: [createSigningKey()] },
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
      authorization_details_types: [DETAILS_TYPE],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    scopes: ['offline_access'],
    claims: {},
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    features: chooseFeatures(deps),
    fetch: deps.fetchDocument,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { policy: askEveryTime(), url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    issueRefreshToken: async (ctx) => !isSingleUse(ctx.oidc.entities.Grant),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: ({ oidc: { entities } }) => {
        const isShared = entities.RotatedRefreshToken !== undefined;
        const age = isShared ? rotation.nextAge() : 0;
        const left = (entities.Grant?.exp ?? 0) - lifetimes.nowSeconds();
        return Math.max(1, Math.min(deps.accessTokenSeconds - age, left));
      },
      AuthorizationCode: lifetimes.CODE_SECONDS,
      DeviceCode: lifetimes.DEVICE_CODE_SECONDS,
      Grant: lifetimes.REFRESH_TOKEN_SECONDS,
      Interaction: lifetimes.REQUEST_SECONDS,
      RefreshToken: lifetimes.REFRESH_TOKEN_SECONDS,
      Session: lifetimes.REQUEST_SECONDS,
    },
    renderError: deps.pages.renderError,
  };
}

function chooseFeatures({ publicUrl, pages }: ProviderDeps): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    // RFC 7009 §2.1: the token of another client is treated as unknown.
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    deviceFlow: { enabled: true, ...pages.device },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 60, max: 86_400 },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resourceOf(publicUrl),
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        const audience = checkResource(publicUrl, [resource]);
        return { scope: SCOPE, audience, accessTokenFormat: 'opaque' };
      },
    },
    richAuthorizationRequests: {
      enabled: true,
      types: {
        [DETAILS_TYPE]: {
          validate: (ctx) => void parseDetails(String(ctx.oidc.params?.authorization_details)),
        },
      },
      authorizationDetailsForGrantSource: (ctx) => ctx.oidc.entities.Grant?.rar,
      // The owner may have changed the access since the refresh token was issued.
      authorizationDetailsForAccessToken: (ctx, _token, source) =>
        source?.rar && (ctx.oidc.entities.Grant?.rar ?? source.rar),
      authorizationDetailsForIntrospection: (_ctx, token) => token.rar,
    },
  };
}

/** Shows the consent page for every request. Anyone can claim a client id, so an earlier approval proves nothing. */
function askEveryTime(): policies.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy.clear();
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('approval_needed', 'the owner has to approve', (ctx) =>
        ctx.oidc.result?.consent?.grantId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return policy;
}

/** A single-use grant ends with its one access token. */
function isSingleUse(grant: { rar?: readonly object[] | undefined } | undefined): boolean {
  return (
    grant?.rar?.some((detail) => 'access_mode' in detail && detail.access_mode === 'single_use') ?? false
  );
}

/** The library requires a signing key. Nothing is signed with it, because tokens are opaque. */
function createSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' } as JWK;
}
