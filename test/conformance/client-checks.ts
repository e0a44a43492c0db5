import type { Revision } from './support/suite.ts';

/** How a scenario with our command line must end. */
export interface ClientChecks {
  /** Check ids that must be green. */
  readonly green: readonly string[];
  /** What the command prints in the end: that it is connected, or why it refuses. */
  readonly says: RegExp;
  /** Check ids that must not come up: the command has stopped before. */
  readonly never?: readonly string[];
}

const CONNECTED = /^Connected to /m;
const OTHER_ISSUER = /^The answer came from another issuer\./m;

const discover = ['prm-pathbased-requested', 'authorization-server-metadata'];
const ask = ['authorization-request', 'pkce-code-challenge-sent', 'pkce-s256-method-used'];
const redeem = ['token-request', 'pkce-code-verifier-sent', 'pkce-verifier-matches-challenge'];
const redeemAndRead = [...redeem, 'valid-bearer-token'];
const nameResource = [
  'resource-parameter-in-authorization',
  'resource-parameter-in-token',
  'resource-parameter-valid-uri',
  'resource-parameter-consistency',
  'resource-parameter-matches-prm',
];

const known = [...discover, ...ask, ...redeemAndRead];
const registered = [...known, 'client-registration'];
const connects = (...green: string[]): ClientChecks => ({ green, says: CONNECTED });

/** Scenarios of both revisions. */
const shared: Readonly<Record<string, ClientChecks>> = {
  'auth/metadata-default': connects(...registered, ...nameResource),
  'auth/metadata-var1': connects(...registered, ...nameResource),
  'auth/metadata-var2': connects(...registered, ...nameResource),
  'auth/metadata-var3': connects(...registered, ...nameResource),
  'auth/basic-cimd': connects(...known, 'cimd-client-id-used'),
  'auth/pre-registration': connects(...known, 'pre-registration-auth'),
  'auth/scope-from-www-authenticate': connects(...registered, 'scope-from-www-authenticate'),
  'auth/scope-from-scopes-supported': connects(...registered, 'scope-from-scopes-supported'),
  'auth/scope-omitted-when-undefined': connects(...registered, 'scope-omitted-when-undefined'),
  'auth/scope-step-up': connects(...registered, 'scope-step-up-initial', 'scope-step-up-escalation'),
  'auth/scope-retry-limit': {
    green: [...discover, ...ask, ...redeem, 'client-registration', 'scope-retry-limit'],
    says: /^The server keeps asking for a new sign-in\.$/m,
  },
  'auth/token-endpoint-auth-basic': connects(...registered, ...nameResource, 'token-endpoint-auth-method'),
  'auth/token-endpoint-auth-post': connects(...registered, ...nameResource, 'token-endpoint-auth-method'),
  'auth/token-endpoint-auth-none': connects(...registered, ...nameResource, 'token-endpoint-auth-method'),
};

/** What 2026-07-28 checks in the same scenarios, besides. */
const APPLICATION_TYPE = 'sep-837-application-type-present';
const withoutRegistration = ['auth/basic-cimd', 'auth/pre-registration'];
const more = (scenario: string): string[] => [
  ...(withoutRegistration.includes(scenario) ? [] : [APPLICATION_TYPE]),
  ...(scenario === 'auth/scope-step-up' ? ['sep-2350-scope-union-on-reauth'] : []),
];

const refuses = (says: RegExp, ...green: string[]): ClientChecks => ({ green, says, never: redeemAndRead });
const asks = [...discover, ...ask, 'client-registration', APPLICATION_TYPE];
const asksAndConnects = (...green: string[]) => connects(...registered, APPLICATION_TYPE, ...green);

/** Scenarios of a person who signs in that 2026-07-28 has added. */
export const addedScenarios: Readonly<Record<string, ClientChecks>> = {
  'auth/resource-mismatch': refuses(
    /^The server reports a different address for itself\.$/m,
    'prm-pathbased-requested',
    'resource-mismatch-rejected',
  ),
  'auth/offline-access-scope': asksAndConnects(
    'sep-2207-client-metadata-grant-types',
    'sep-2207-offline-access-requested',
  ),
  'auth/offline-access-not-supported': asksAndConnects('sep-2207-offline-access-not-requested'),
  'auth/authorization-server-migration': asksAndConnects(
    'sep-2352-reregister-on-as-change',
    'sep-2352-no-reuse-on-as-change',
    'sep-2352-no-cross-as-credential-reuse',
  ),
  'auth/iss-supported': asksAndConnects('sep-2468-client-compare-iss-supported'),
  'auth/iss-not-advertised': asksAndConnects('sep-2468-client-proceed-no-iss'),
  'auth/iss-supported-missing': refuses(OTHER_ISSUER, ...asks, 'sep-2468-client-reject-missing-iss'),
  'auth/iss-wrong-issuer': refuses(OTHER_ISSUER, ...asks, 'sep-2468-client-compare-iss-supported'),
  'auth/iss-unexpected': refuses(OTHER_ISSUER, ...asks, 'sep-2468-client-compare-iss-unadvertised'),
  'auth/iss-normalized': refuses(OTHER_ISSUER, ...asks, 'sep-2468-client-no-normalization'),
  'auth/metadata-issuer-mismatch': refuses(
    OTHER_ISSUER,
    ...discover,
    'sep-2468-client-validate-metadata-issuer',
  ),
};

export const authScenarios: Record<Revision, Readonly<Record<string, ClientChecks>>> = {
  '2025-11-25': shared,
  '2026-07-28': Object.fromEntries(
    Object.entries(shared).map(([scenario, checks]) => [
      scenario,
      { ...checks, green: [...checks.green, ...more(scenario)] },
    ]),
  ),
};

/** Scenarios that are not claimed, by the reason. */
export const unclaimed: Readonly<Record<string, readonly string[]>> = {
  'guesses endpoints where there is no metadata, as the protocol of March 2025 did: refused, see docs/decisions/strict-sign-in.md':
    ['auth/2025-03-26-oauth-endpoint-fallback', 'auth/2025-03-26-oauth-metadata-backcompat'],
  'an extension for programs that sign in by themselves: ours signs in a person': [
    'auth/client-credentials-basic',
    'auth/client-credentials-jwt',
    'auth/enterprise-managed-authorization',
    'auth/wif-jwt-bearer',
  ],
  'an extension that binds tokens to a key: neither our server nor our client has it': [
    'auth/dpop',
    'auth/dpop-nonce',
  ],
  'no sign-in, and tools of the suite: our command line connects only where somebody signs in': [
    'http-custom-headers',
    'http-invalid-tool-headers',
    'http-standard-headers',
    'json-schema-ref-no-deref',
    'request-metadata',
    'sep-2322-client-request-state',
  ],
};
